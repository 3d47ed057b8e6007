"""Samples of what other tools put into a file or the clipboard, byte for byte; the names are made up."""

EXCEL_GERMAN = '\ufeffName;E-Mail\r\nJo Park;jo@example.org\r\n"Lee; Jun";jun@example.org\r\nMina;\r\n'
"""Excel with German settings, "CSV UTF-8": byte order mark, semicolons, CRLF, quotes only where they are needed."""

SHEETS_CSV = 'Email,Notes,Name\njo@example.org,"likes\nlong notes","Jo\nPark"\njun@example.org,"said ""yes""",Jun Lee\n'
"""Google Sheets, downloaded as CSV: line breaks stay in quoted cells."""

SHEETS_COPIED = 'Name\tEmail\nJo Park\tjo@example.org\n"Jun\nLee"\tjun@example.org\nMina\t'
"""Cells copied from Google Sheets or Excel: tabs, and quotes round a cell with a line break."""

FORMS_EXPORT = (
    '"Timestamp","Email Address","What is your name?","Which evenings suit you?"\n'
    '"2026/11/20 7:12:03 PM GMT+1","jo@example.org","Jo Park","Mon;Tue"\n'
    '"2026/11/20 8:02:41 PM GMT+1","jun@example.org","Jun Lee",""\n'
)
"""Google Forms, its responses downloaded as CSV: every cell is quoted."""

CONTACTS = "First Name,Last Name,E-mail Address\nJo,Park,jo@example.org\nJun,Lee,jun@example.org\n"
"""Contacts exported from Outlook, with the columns that matter."""

OUTLOOK = "Park, Jo <jo@example.org>; Lee, Jun <jun@example.org>; mina@example.org"
"""Recipients copied from Outlook: family name first, without quotes."""

GMAIL = 'Jo Park <jo@example.org>, "Lee, Jun" <jun@example.org>, mina@example.org, '
"""Recipients copied from Gmail, with the comma that it leaves at the end."""

WHATSAPP = "1. \u2068Jo Park\u2069\n2. \u2068Jun\u2069 \n\n3.\u202f\u200eMina"
"""A numbered list from WhatsApp: isolates round names, narrow spaces, marks of direction."""

DISCORD = "@Jo Park @Jun\n@Mina"
"""Mentions copied from Discord."""

BULLETS = "- Jo Park\n* Jun\n\u2022\tMina\n[x] Bo\n\u2013 Cy <cy@example.org>\n4) Di: di@example.org"
"""Lists made by hand or copied from a word processor."""
