"""Where data come from: public files, published numbers, readers' own texts."""
