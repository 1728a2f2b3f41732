"""What needs packages that few install; nothing else imports this room."""
