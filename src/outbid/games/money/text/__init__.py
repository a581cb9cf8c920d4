"""What is said and written of Money!: views, sentences, reasons. Plain Python."""
