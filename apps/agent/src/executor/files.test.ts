import { randomUUID } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { RunFiles } from './files.ts'
import { Masker } from './mask.ts'
import type { ExecutorRequest } from './protocol.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'weft-files-'))
})
afterEach(() => rm(folder, { recursive: true }))

/** The files of a run, whose supervisor brings four bytes for each, or fails; and what it was asked. */
function begin(fetchMaxBytes = 100) {
  const asked: string[] = []
  const state = { fails: false }
  const request = async (what: ExecutorRequest) => {
    if (what.kind !== 'inputFile') throw new Error('not asked here')
    asked.push(what.fileId)
    if (state.fails) throw new Error('not there')
    const path = join(folder, what.fileId)
    await writeFile(path, 'four')
    return { path, name: 'note.txt' }
  }
  const channel = { request, file: () => undefined }
  const files = new RunFiles({ folder, channel, masker: new Masker(), maxBytes: 100, fetchMaxBytes })
  return { files, asked, state }
}

it('fetches a file once, however many want it at once, and again where that failed', async () => {
  const { files, asked, state } = begin()
  const id = randomUUID()
  state.fails = true
  await expect(files.resolve(id)).rejects.toThrow('not there')
  state.fails = false
  const both = await Promise.all([files.resolve(id), files.resolve({ ref: `stored:${id}` })])
  expect(both[0]).toBe(both[1])
  expect(await readFile(both[0].path, 'utf8')).toBe('four')
  expect(await files.resolve(id)).toBe(both[0])
  expect(asked).toEqual([id, id])
})

it('fetches no more once it has fetched as much as it may', async () => {
  const { files, asked } = begin(5)
  const ids = [randomUUID(), randomUUID(), randomUUID()]
  for (const id of ids.slice(0, 2)) await files.resolve(id)
  await expect(files.resolve(ids[2] ?? '')).rejects.toMatchObject({ class: 'TooLarge', effect: 'none' })
  expect((await files.resolve(ids[0] ?? '')).name).toBe('note.txt')
  expect(asked).toEqual(ids.slice(0, 2))
})
