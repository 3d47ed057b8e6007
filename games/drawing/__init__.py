"""What every board is drawn with: themes, shapes, cells and text as SVG, and tables for those who listen."""
