"""Drawing code for all boards: themes, shapes, cells and text as SVG, and tables for screen readers."""
