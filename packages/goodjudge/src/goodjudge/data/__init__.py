"""Reading: from a file of ratings, or a tool's export, to tables that can be compared."""
