"""What is said and written of Rivals: views, sentences, reasons. Plain Python."""
