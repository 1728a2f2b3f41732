"""What a judge said: replies checked, answers kept and replayed, labels read, the table."""
