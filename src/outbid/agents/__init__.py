"""Seats for language models: prompts, answers, obfuscated names, sessions, the MCP server."""
