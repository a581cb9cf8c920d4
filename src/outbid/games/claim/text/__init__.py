"""What is said and written of Claim: views, sentences, reasons. Plain Python."""
