"""The panel: the admin, its dashboard, and a control room for every match."""
