import { chromium, type Browser, type Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { elementAt, isSame, pressableOf } from '../src/executor/attended/element.ts'
import { readRole, targetsOf } from '../src/executor/attended/targets-of.ts'
import { theOne } from '../src/executor/browser/locate.ts'
import { findBrowsers } from '../src/machine/browsers.ts'

/** What is pointed at is told in targets that a run finds again: each means this one element and no other. */

const PAGE = `<!doctype html><title>Shop</title><style>body{margin:0} *{font-size:14px}</style>
<button id="mantine-r7" class="x"><svg id="icon" width="16" height="16"><rect width="16" height="16"/></svg> Sign in: "now"</button>
<form><label for="mail">E-mail</label> <input id="mail" name="email" placeholder="you@site"> <input id="pin" type="password" aria-label="PIN" value="hidden-4711"></form>
<table><tr><td>One <button>Delete</button></td></tr><tr><td>Two <button id="second" style="">Delete</button></td></tr></table>
<div data-testid="cart-total" id="total">12 {{ items }}</div>
<ul><li></li><li><i id="nameless" style="display:block;width:20px;height:20px;background:red"></i></li><li></li></ul>
<button style="display:none">Save</button><button id="shown">Save</button>
<div id="host"></div>
<iframe id="inner" name="pay" style="width:300px;height:80px" srcdoc="<button id=in>Pay</button>"></iframe>
<iframe id="outer" style="width:300px;height:120px" srcdoc="<iframe id=deep style='width:200px;height:60px' srcdoc='<button id=deepest>Deep</button>'></iframe>"></iframe>
<script>
  const root = host.attachShadow({mode: 'open'})
  root.innerHTML = '<p><span>a</span><button id="dark"><b>In the dark</b></button></p>'
</script>`

let browser: Browser
let page: Page

beforeAll(async () => {
  const [found] = await findBrowsers()
  if (!found) throw new Error('There is no browser.')
  browser = await chromium.launch({ executablePath: found.path, args: ['--no-sandbox', '--disable-gpu'] })
  page = await browser.newPage()
  await page.setContent(PAGE)
  await page.frameLocator('#outer').frameLocator('#deep').locator('#deepest').waitFor()
})
afterAll(() => browser.close())

/** Points at the middle of an element, as a person does. */
async function point(selector: string, frames: string[] = []) {
  let root: Page | ReturnType<Page['frameLocator']> = page
  for (const frame of frames) root = root.frameLocator(frame)
  const meant = root.locator(selector)
  const box = await meant.boundingBox()
  const handle = await meant.elementHandle()
  if (!box || !handle) throw new Error(`${selector} is not to be seen`)
  const found = await elementAt(page, { x: box.x + box.width / 2, y: box.y + box.height / 2 })
  if (!found) throw new Error('there is nothing')
  const pressed = await pressableOf(found)
  const told = await targetsOf(page, pressed)
  // Each of them, as a run would resolve it, is this one.
  const resolved = await Promise.all(
    told.found.map(async ({ target }) => {
      const one = await theOne(page, JSON.parse(JSON.stringify(target).replaceAll('\\\\{{', '{{')), 'visible')
      if (typeof one === 'number') return false
      const again = await one.elementHandle()
      return again !== null && isSame(again, pressed.element)
    }),
  )
  expect(resolved).toEqual(told.found.map(() => true))
  return { ...told, targets: told.found.map(({ target }) => target), itself: isSame(handle, pressed.element) }
}

it('names a button by role and name, also where an icon in it was pointed at; ids that a program made up are no way', async () => {
  const { targets, itself } = await point('#mantine-r7')
  expect(await itself).toBe(true)
  expect(targets[0]).toEqual({ by: 'role', role: 'button', name: 'Sign in: "now"', exact: true })
  expect(JSON.stringify(targets)).not.toContain('mantine')
  const icon = await point('#icon')
  expect(icon.targets[0]).toEqual(targets[0])
  expect(icon.found.map(({ matches }) => matches)).toEqual(icon.found.map(() => 1))
})

it('names a field by role, label and placeholder; what stands in it is in no target', async () => {
  const { targets, facts } = await point('#mail')
  expect(facts).toMatchObject({ kind: 'text', secret: false, label: 'E-mail' })
  expect(targets.slice(0, 4)).toEqual([
    { by: 'role', role: 'textbox', name: 'E-mail', exact: true },
    { by: 'label', text: 'E-mail', exact: true },
    { by: 'placeholder', text: 'you@site', exact: true },
    { by: 'css', selector: '#mail' },
  ])
  const pin = await point('#pin')
  expect(pin.facts).toMatchObject({ secret: true, label: 'PIN' })
  expect(JSON.stringify(pin)).not.toContain('hidden-4711')
})

it('says of things alike which of them is meant, after whatever means it alone', async () => {
  const { found } = await point('#second')
  expect(found[0]).toEqual({ target: { by: 'css', selector: '#second' }, matches: 1 })
  expect(found).toContainEqual({
    target: { by: 'role', role: 'button', name: 'Delete', exact: true, nth: 1 },
    matches: 2,
  })
  // What is hidden does not count, as it does not for runs.
  expect((await point('#shown')).found[0]).toEqual({
    target: { by: 'role', role: 'button', name: 'Save', exact: true },
    matches: 1,
  })
})

it('takes test ids, and writes what looks like an expression so that it is none', async () => {
  const { targets } = await point('#total')
  expect(targets).toContainEqual({ by: 'testId', id: 'cart-total' })
  expect(targets).toContainEqual({ by: 'text', text: '12 \\{{ items }}', exact: true })
})

it('finds what has no name by its place', async () => {
  await page.evaluate(() => document.querySelector('#nameless')?.removeAttribute('id'))
  const { targets } = await point('li:nth-of-type(2) i')
  expect(targets).toEqual([{ by: 'css', selector: 'html > body > ul > li:nth-of-type(2) > i' }])
})

it('reaches into open shadow roots', async () => {
  const { targets, facts } = await point('#dark')
  expect(facts.tag).toBe('button')
  expect(targets[0]).toEqual({ by: 'role', role: 'button', name: 'In the dark', exact: true })
  expect(targets.some(({ by }) => by === 'css')).toBe(true)
})

it('names the frame that holds it, and those around that', async () => {
  const { targets } = await point('#in', ['#inner'])
  expect(targets[0]).toEqual({ by: 'role', role: 'button', name: 'Pay', exact: true, frame: '#inner' })
  const deep = await point('#deepest', ['#outer', '#deep'])
  expect(deep.targets[0]).toEqual({
    by: 'role',
    role: 'button',
    name: 'Deep',
    exact: true,
    frame: '#outer >> #deep',
  })
})

it('takes what stands before the last frame and is no frame as a part of its selector', async () => {
  const pay = (frame: string) => theOne(page, { by: 'css', selector: 'button', frame }, 'visible')
  for (const frame of ['body >> #inner', 'html >> body >> #inner', 'body >> #outer >> body >> #deep'])
    expect(typeof (await pay(frame))).not.toBe('number')
  expect(await pay('body >> #nowhere')).toBe(0)
  expect(await pay('#nowhere >> #inner')).toBe(0)
})

it('reads roles and names however they are quoted', () => {
  expect(readRole('- link "Home":\n  - /url: /')).toEqual({ role: 'link', name: 'Home' })
  expect(readRole(`- 'button "It''s: \\"x\\""'`)).toEqual({ role: 'button', name: `It's: "x"` })
  expect(readRole('- text: words')).toBeNull()
  expect(readRole('')).toBeNull()
})
