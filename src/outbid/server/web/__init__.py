"""HTTP, WebSockets, pages."""
