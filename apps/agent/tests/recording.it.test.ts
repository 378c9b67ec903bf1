import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { AttendedPurpose } from '@weft/contract/runs/schema'
import type { Recorded } from '@weft/contract/attended-runs/watched'
import { definitionOf } from '@weft/workflow/catalogue/catalogue'
import type { Supervisor } from '../src/supervisor/supervisor.ts'
import { startAgent, stopAgent, temporaryFolder } from './support/agent.ts'
import { handsOn } from './support/hands-on.ts'
import { FakeServer, until } from './support/server.ts'
import { startSite, type TestSite } from './support/site.ts'
import type { FakeRun } from './support/state.ts'

const PASSWORD = 'nobody-may-read-this-58'

const FORM = `<title>Form</title><style>body{margin:0}input,select,button,a{position:absolute;left:100px;width:200px;height:40px}
  input[type=checkbox],input[type=file]{height:20px}</style>
  <form action="/done">
    <input aria-label="Name" name="name" style="top:60px"><input aria-label="Code" type="password" style="top:120px">
    <select aria-label="Size" style="top:180px"><option>Small</option><option>Large</option></select>
    <input type="checkbox" aria-label="Agree" style="top:240px"><input type="file" accept="image/*" aria-label="Picture" onchange="location = '/' + files[0].name + '-' + files[0].size" style="top:280px">
    <button style="top:340px">Send</button></form>
  <a href="/other" target="_blank" style="top:400px">Elsewhere</a>
  <button style="top:460px" onclick="document.title = confirm('Sure?') ? 'Yes' : 'No'">Ask</button>`

const TRICKY = `<title>Tricky</title><style>body{margin:0;height:3000px}select,button{position:absolute;left:100px;width:200px;height:40px}</style>
  <x-closed style="position:absolute;left:100px;top:60px"></x-closed>
  <select aria-label="Size" style="top:120px"><option>Small</option><option>Large</option></select>
  <button style="top:180px" onclick="window.open('/popup')">Open</button>
  <script>customElements.define('x-closed', class extends HTMLElement { constructor() { super()
    this.attachShadow({ mode: 'closed' }).innerHTML = '<input style="width:200px;height:40px;box-sizing:border-box">' } })</script>`
const FILES = `<title>Files</title><style>body{margin:0}input,button,label{position:absolute;left:100px;width:200px;height:40px}</style>
  <input type="file" aria-label="Picture" style="top:60px">
  <button style="top:120px" onclick="const one = document.createElement('input'); one.type = 'file'; one.click()">Choose</button>
  <input type="file" multiple aria-label="Several" style="top:180px">
  <label style="top:240px">Hidden<input type="file" style="display:none"></label>
  <button style="top:300px">Ready</button>`
const POPUP = `<title>Popup</title><style>body{margin:0}button{position:absolute;left:100px;top:60px;width:200px;height:40px}</style>
  <button onclick="window.close()">Done here</button>`

describe('browsers of a workflow’s editor', () => {
  const server = new FakeServer()
  const { seen, titled, send, clickAt, press, typed, placeIn, save, finished } = handsOn(server)
  let folder: Awaited<ReturnType<typeof temporaryFolder>>
  let site: TestSite
  let agent: Supervisor

  beforeAll(async () => {
    folder = await temporaryFolder()
    site = await startSite((request, response) => {
      response.setHeader('content-type', 'text/html; charset=utf-8')
      const path = new URL(request.url ?? '/', 'http://site').pathname
      const page =
        { '/': FORM, '/tricky': TRICKY, '/popup': POPUP, '/files': FILES }[path] ??
        `<title>${path}</title><p>${path}</p>`
      response.end(`<!doctype html>${page}`)
    })
    await server.start()
    agent = await startAgent(server, join(folder.path, 'agent'))
  })
  afterAll(async () => {
    await stopAgent(agent)
    await server.stop()
    await site.stop()
    await folder.remove()
    expect(server.malformed).toEqual([])
  })

  const open = (purpose: AttendedPurpose, path = '/'): FakeRun =>
    server.state.offerAttended({
      attended: { url: `${site.url}${path}`, seconds: 60, purpose },
      profile: null,
    })

  /** What the console has by now: each entry as it was told last. */
  const steps = (run: FakeRun): Recorded[] => {
    const all = new Map<number, Recorded>()
    for (const { meta } of run.frames) for (const one of meta.recording?.news ?? []) all.set(one.id, one)
    return [...all.values()].toSorted((a, b) => a.id - b.id)
  }
  const recorded = (run: FakeRun, what: string, check: (all: Recorded[]) => boolean) =>
    until(what, () => (check(steps(run)) ? steps(run) : undefined))
  const brief = (all: Recorded[]) =>
    all.map(({ type, unrecorded, label, state: { targets: _targets, ...state } }) => ({
      is: type ?? unrecorded,
      label,
      ...state,
    }))

  it('makes steps of what is done, each once, and knows nothing of a password', async () => {
    const run = open('record')
    await titled(run, 'Form')
    await clickAt(run, 150, 80)
    await typed(run, 'Ada')
    await recorded(run, 'the first field, while it is written', (all) => all[1]?.state['value'] === 'Ada')
    await clickAt(run, 150, 140)
    await send(run, { type: 'text', text: PASSWORD })
    await recorded(run, 'the password', (all) => all.length === 3)
    await clickAt(run, 150, 200)
    const { choice } = await seen(run, 'the list', (meta) => meta.choice !== undefined)
    expect(choice?.options.map(({ text }) => text)).toEqual(['Small', 'Large'])
    await send(run, { type: 'choose', list: choice?.number ?? 0, indexes: [1] })
    await recorded(run, 'the choice', (all) => all.length === 4)
    await clickAt(run, 110, 250)
    await clickAt(run, 150, 290)
    const { files } = await seen(run, 'that it asks for a file', (meta) => meta.files !== undefined)
    expect(files).toEqual({ number: 1, multiple: false, accept: 'image/*', state: 'asked' })
    await send(run, { type: 'files', number: 1, fileIds: [] })
    await seen(run, 'that it does not ask any more', (meta) => meta.files === undefined)
    await clickAt(run, 150, 360)
    await titled(run, '/done')
    const all = await recorded(run, 'the click', (now) => now[5]?.state['waitForNavigation'] === true)
    expect(brief(all)).toEqual([
      { is: 'open-page', label: '', url: `${site.url}/` },
      { is: 'fill', label: 'Name', value: 'Ada' },
      { is: 'fill', label: 'Code', value: '' },
      { is: 'select', label: 'Size', by: 'label', value: 'Large' },
      { is: 'select', label: 'Agree', by: 'checked', checked: true },
      { is: 'click', label: 'Send', waitForNavigation: true },
    ])
    expect(all.map(({ secret }) => secret)).toEqual([null, null, 1, null, null, null])
    for (const { type, state } of all) {
      const definition = type === null ? undefined : definitionOf(type)
      expect(definition?.inputSchema.safeParse(state).error).toBeUndefined()
    }
    save(run)
    expect(await finished(run)).toMatchObject({ result: 'succeeded', snapshot: null, error: null })
    const told = JSON.stringify([run.frames.map(({ meta }) => meta), run.events, run.finish])
    expect(told + run.log.toString()).not.toContain(PASSWORD)
    expect(site.asked.filter((path) => path.startsWith('/done'))).toEqual(['/done?name=Ada'])
  })

  it('records tabs, keys and addresses, stops while it is paused, and tells all again to a console that begins anew', async () => {
    const run = open('record')
    await titled(run, 'Form')
    await clickAt(run, 150, 80)
    await typed(run, 'x')
    await send(run, { type: 'recording', on: false })
    await seen(run, 'the pause', (meta) => meta.recording?.on === false)
    await clickAt(run, 150, 480)
    await seen(run, 'the question', (meta) => meta.dialog !== null)
    await send(run, { type: 'answer', accept: true })
    await seen(run, 'the answer', (meta) => meta.dialog === null)
    await send(run, { type: 'recording', on: true })
    await clickAt(run, 150, 480)
    await seen(run, 'the question', (meta) => meta.dialog !== null)
    await send(run, { type: 'answer', accept: false })
    await seen(run, 'the answer', (meta) => meta.dialog === null)
    await clickAt(run, 150, 420)
    await seen(run, 'the tab', (meta) => meta.tabs === 2 && meta.tab === 1 && meta.title === '/other')
    await press(run, 'Escape', '', 27)
    await press(run, 'Escape', '', 27)
    await send(run, { type: 'closeTab' })
    await seen(run, 'the first tab', (meta) => meta.tabs === 1)
    await send(run, { type: 'open', address: `${site.url}/last` })
    const all = await recorded(run, 'all', (now) => now.at(-1)?.state['url'] === `${site.url}/last`)
    expect(brief(all)).toEqual([
      { is: 'open-page', label: '', url: `${site.url}/` },
      { is: 'fill', label: 'Name', value: 'x' },
      { is: 'click', label: 'Ask' },
      { is: 'click', label: 'Elsewhere' },
      { is: 'switch-tab', label: '', by: 'url', value: `${site.url}/other` },
      { is: 'press-key', label: '', key: 'Escape', times: 2 },
      { is: 'switch-tab', label: '', by: 'title', value: 'No', closeCurrent: true },
      { is: 'open-page', label: '', url: `${site.url}/last` },
    ])
    const { recording } = await seen(
      run,
      'the newest',
      (meta) => meta.recording?.seq === Math.max(...all.map(({ seq }) => seq)),
    )
    // A still page sends no picture by itself; going on where it goes on already brings one.
    await send(run, { type: 'recorded', upTo: recording?.seq ?? 0 }, { type: 'recording', on: true })
    await seen(run, 'nothing new', (meta) => meta.recording?.news.length === 0)
    await send(run, { type: 'recorded', upTo: 0 })
    await seen(run, 'all again', (meta) => meta.recording?.news.length === all.length)
    server.state.cancel(run)
    expect(await finished(run)).toMatchObject({ result: 'cancelled' })
  })

  it('says what a page keeps closed, follows tabs that come and go by themselves, and keeps the order with the way back', async () => {
    const run = open('record', '/tricky')
    await titled(run, 'Tricky')
    await clickAt(run, 150, 80)
    await typed(run, 'abc')
    await recorded(run, 'what is closed', (all) => all[1]?.unrecorded === 'closed')
    await clickAt(run, 150, 200)
    await titled(run, 'Popup')
    await clickAt(run, 150, 80)
    await seen(run, 'the first tab', (meta) => meta.tabs === 1 && meta.title === 'Tricky')
    await send(run, { type: 'open', address: `${site.url}/next` }, { type: 'go', to: 'forward' })
    await titled(run, '/next')
    // The way back is written down before what is done next, however long the page takes.
    const key = { type: 'key', key: 'Escape', code: 'Escape', keyCode: 27, text: '', modifiers: 0 } as const
    await send(run, { type: 'go', to: 'back' }, { ...key, action: 'down' }, { ...key, action: 'up' })
    await titled(run, 'Tricky')
    await send(run, { type: 'open', address: `${site.url}/last` })
    await titled(run, '/last')
    const all = await recorded(run, 'all', (now) => now.at(-1)?.state['url'] === `${site.url}/last`)
    expect(brief(all)).toEqual([
      { is: 'open-page', label: '', url: `${site.url}/tricky` },
      { is: 'closed', label: '' },
      { is: 'click', label: 'Open' },
      { is: 'switch-tab', label: '', by: 'url', value: `${site.url}/popup` },
      { is: 'click', label: 'Done here' },
      { is: 'switch-tab', label: '', by: 'url', value: `${site.url}/tricky` },
      { is: 'open-page', label: '', url: `${site.url}/tricky` },
      { is: 'press-key', label: '', key: 'Escape' },
      { is: 'open-page', label: '', url: `${site.url}/last` },
    ])
    server.state.cancel(run)
    await finished(run)
  })

  it('makes a step of a file that is chosen, also by a button or a label, and none of one that is not', async () => {
    const run = open('record', '/files')
    await titled(run, 'Files')
    const [file, other] = [randomUUID(), randomUUID()]
    for (const id of [file, other]) server.state.files.set(id, Buffer.from('12345'))
    const choose = async (py: number, number: number, fileIds: string[]) => {
      await clickAt(run, 150, py)
      await seen(run, `question ${number}`, (meta) => meta.files?.number === number)
      await send(run, { type: 'files', number, fileIds })
      await seen(run, `answer ${number}`, (meta) => meta.files === undefined)
    }
    await choose(80, 1, [file])
    await choose(140, 2, [file])
    await choose(200, 3, [file, other])
    await choose(260, 4, [file])
    await choose(80, 5, [])
    await clickAt(run, 150, 320)
    const all = await recorded(run, 'all', (now) => now.at(-1)?.label === 'Ready' && now.length === 6)
    expect(brief(all)).toEqual([
      { is: 'open-page', label: '', url: `${site.url}/files` },
      { is: 'upload-file', label: 'Picture', file: '' },
      { is: 'upload-file', label: 'Choose', file: '' },
      { is: 'upload', label: 'Several' },
      { is: 'upload-file', label: 'Hidden', file: '' },
      { is: 'click', label: 'Ready' },
    ])
    for (const { type, state } of all) {
      const definition = type === null ? undefined : definitionOf(type)
      expect(definition?.inputSchema.safeParse(state).error).toBeUndefined()
    }
    expect(JSON.stringify(run.frames.map(({ meta }) => meta.recording))).not.toContain(file)
    server.state.cancel(run)
    await finished(run)
  })

  it('closes a drop-down list with Esc, with the wheel, with another tab and another page', async () => {
    const run = open('record', '/tricky')
    await titled(run, 'Tricky')
    for (const close of [
      { type: 'wheel', x: 0.9, y: 0.9, dx: 0, dy: 10, modifiers: 0 },
      {
        type: 'key',
        action: 'down',
        key: 'Escape',
        code: 'Escape',
        keyCode: 27,
        text: '',
        modifiers: 0,
      },
      { type: 'newTab' },
      { type: 'open', address: `${site.url}/other` },
    ] as const) {
      await clickAt(run, 150, 130)
      await seen(run, 'the list', (meta) => meta.choice !== undefined)
      await send(run, close)
      await seen(run, `no list after ${close.type}`, (meta) => meta.choice === undefined)
      if (close.type !== 'newTab') continue
      await seen(run, 'the second tab', (meta) => meta.tabs === 2 && meta.tab === 1)
      await send(run, { type: 'closeTab' })
      await titled(run, 'Tricky')
    }
    await titled(run, '/other')
    expect(brief(steps(run)).map(({ is }) => is)).toEqual([
      'open-page',
      'open-tab',
      'switch-tab',
      'open-page',
    ])
    server.state.cancel(run)
    await finished(run)
  })

  it('tells what is pointed at without pressing it, and how it can be found once it is chosen', async () => {
    const run = open('pick')
    await titled(run, 'Form')
    const point = (number: number, px: number, py: number, chosen: boolean) =>
      send(run, { type: 'point', number, ...placeIn(run, px, py), chosen, pressable: true })
    await point(1, 150, 360, false)
    const { pointed } = await seen(run, 'the box', (meta) => meta.pointed?.number === 1)
    expect(pointed).toMatchObject({ tag: 'button', label: 'Send', found: [], problem: null })
    expect(pointed?.box?.x).toBeCloseTo(100 / 1280, 2)
    await point(2, 150, 360, true)
    const chosen = await seen(run, 'the ways', (meta) => meta.pointed?.number === 2)
    expect(chosen.pointed?.found[0]).toEqual({
      target: { by: 'role', role: 'button', name: 'Send', exact: true },
      matches: 1,
    })
    expect(chosen.title).toBe('Form')
    expect(chosen.recording).toBeUndefined()
    // It asks for a file: one that is not there is said, one that is there is given under its own name.
    await clickAt(run, 150, 290)
    await seen(run, 'that it asks', (meta) => meta.files?.state === 'asked')
    // An address that changes within the page leaves that as it is; another page does not ask.
    await send(run, { type: 'open', address: `${site.url}/#within` })
    await seen(run, 'that it still asks', (meta) => meta.url.endsWith('#within') && meta.files !== undefined)
    const [known, unknown] = [randomUUID(), randomUUID()]
    server.state.files.set(known, Buffer.from('12345'))
    await send(run, { type: 'files', number: 1, fileIds: [unknown] })
    await seen(run, 'that it failed', (meta) => meta.files?.state === 'failed')
    await send(run, { type: 'files', number: 1, fileIds: [known] })
    await titled(run, `/${known}-5`)
    await seen(run, 'that it has it', (meta) => meta.files === undefined)
    await send(run, { type: 'open', address: site.url })
    await titled(run, 'Form')
    await clickAt(run, 150, 290)
    await seen(run, 'that it asks', (meta) => meta.files?.state === 'asked')
    await send(run, { type: 'open', address: `${site.url}/other` })
    await titled(run, '/other')
    await seen(run, 'that nothing asks', (meta) => meta.files === undefined)
    save(run)
    expect(await finished(run)).toMatchObject({ result: 'succeeded' })
  })
})
