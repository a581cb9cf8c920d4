"""What is said and written of For-Ex: views, sentences, reasons. Plain Python."""
