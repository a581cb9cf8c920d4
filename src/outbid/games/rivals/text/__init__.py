"""What is said and written of Rivals: views, sentences, reasons. Plain Python."""

from outbid.core.language import i18n

_, ngettext = i18n.words(__package__)
