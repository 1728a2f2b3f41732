"""Does a claim depend on a choice? The same analysis made in other ways."""
