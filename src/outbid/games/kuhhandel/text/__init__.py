"""What is said and written of Kuhhandel: views, sentences, reasons. Plain Python."""
