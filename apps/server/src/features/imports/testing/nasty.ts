/** What people who mean harm, and broken programs, put into cells. */
export const NASTY = [
  '=cmd|"/c calc"!A1',
  '+SUM(1,1)*cmd',
  '-2+3',
  '@SUM(A1)',
  '\t=1+1',
  '=HYPERLINK("http://127.0.0.1/?x="&A1)',
  `'; drop table account; --`,
  '" or 1=1 --',
  '${7*7}{{7*7}}<%= 7*7 %>',
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '../../../../etc/passwd',
  '\u0007bell\u001b[31m',
  'nul\0byte',
  'half \uD800 of a pair',
  '\u202Eright to left',
  '%s%n%x',
  '__proto__',
  'constructor',
  '\\x00\\u0000',
  '🏴‍☠️'.repeat(10),
  'a'.repeat(5000),
]
/** A text as a cell of a table. */
export const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`
