import { describe, expect, it } from 'vitest'
import { safeNext } from '../src/http/visit.ts'
import { flag, html } from '../src/html.ts'
import { csvCell } from '../src/pages/files.ts'
import { joinPath, splitPath } from '../src/text/locale.ts'

describe('html', () => {
  it('escapes text between tags and in attributes', () => {
    const evil = `"><script>alert('&')</script>`
    const safe = '&quot;&gt;&lt;script&gt;alert(&#39;&amp;&#39;)&lt;/script&gt;'
    expect(html`<p title="${evil}">${evil}</p>`.markup).toBe(`<p title="${safe}">${safe}</p>`)
    expect(html`<p${flag('data-x', evil)}></p>`.markup).toBe(`<p data-x="${safe}"></p>`)
  })

  it('keeps its own markup, joins lists and leaves out what is absent', () => {
    const rows = ['a', '<b>'].map((text) => html`<i>${text}</i>`)
    const list = html`<span>${[rows, null, undefined, false, 0]}</span>`
    expect(list.markup).toBe('<span><i>a</i><i>&lt;b&gt;</i>0</span>')
    expect(html`<i${flag('hidden', false)}${flag('open')}></i>`.markup).toBe('<i open></i>')
  })
})

describe('addresses', () => {
  it('go on only to paths of this site', () => {
    expect(safeNext('/ar/notices?q=a', '/')).toBe('/ar/notices?q=a')
    for (const bad of [
      '//evil.example',
      '/\\evil.example',
      'https://evil.example',
      '/a\nb',
      'notices',
      5,
      undefined,
    ]) {
      expect(safeNext(bad, '/home')).toBe('/home')
    }
  })

  it('carry the language as a prefix', () => {
    expect(splitPath('/ar/notices/3')).toEqual({ locale: 'ar', page: '/notices/3' })
    expect(splitPath('/arrivals')).toEqual({ locale: 'en', page: '/arrivals' })
    expect(splitPath('/fr')).toEqual({ locale: 'fr', page: '/' })
    expect(joinPath('fr', '/')).toBe('/fr')
    expect(joinPath('en', '/prices')).toBe('/prices')
  })
})

describe('CSV cells', () => {
  it('are quoted when needed and are never formulas', () => {
    expect(csvCell('plain')).toBe('plain')
    expect(csvCell('a,"b"')).toBe('"a,""b"""')
    expect(csvCell('=1+1')).toBe("'=1+1")
    expect(csvCell('-2,5')).toBe(`"'-2,5"`)
  })
})
