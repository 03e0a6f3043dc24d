"""What a seat may not know: blanked in its view, drawn again in a sample (section 19)."""
