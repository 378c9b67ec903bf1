/** A piece of markup that is already safe to send. Only `html` and `flag` make one. */
export class Html {
  readonly markup: string
  constructor(markup: string) {
    this.markup = markup
  }
}

/** What may stand in a template: markup as it is, text escaped, nothing left out, lists joined. */
export type Content = Html | string | number | null | undefined | false | readonly Content[]

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Makes text safe between tags and inside quoted attributes. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ESCAPES[character] ?? character)
}

function render(content: Content): string {
  if (content === null || content === undefined || content === false) return ''
  if (content instanceof Html) return content.markup
  if (typeof content === 'string') return escapeHtml(content)
  if (typeof content === 'number') return String(content)
  return content.map(render).join('')
}

/** The template tag of every page: whatever is put in is escaped unless it is markup made here. */
export function html(strings: TemplateStringsArray, ...contents: Content[]): Html {
  const parts = strings.map((text, index) => text + render(contents[index]))
  return new Html(parts.join(''))
}

/** An attribute when it is wanted: `flag('checked')`, `flag('aria-describedby', id)`; nothing for a false value. */
export function flag(name: string, value: string | boolean | null | undefined = true): Html {
  if (value === false || value === null || value === undefined) return new Html('')
  return new Html(value === true ? ` ${name}` : ` ${name}="${escapeHtml(value)}"`)
}
