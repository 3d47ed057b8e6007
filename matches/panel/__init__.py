"""The panel: the house's admin, its dashboard, and a control room for every match."""
