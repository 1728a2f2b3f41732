"""What a judge costs: the price file, a plan before, the charge after, the budget."""
