"""What a seat may not know: blanked in its view, drawn anew in a sample (section 19)."""
