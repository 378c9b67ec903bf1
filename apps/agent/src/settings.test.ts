import { describe, expect, it } from 'vitest'
import { AgentExit, EXIT } from './exit-codes.ts'
import { readSettings } from './settings.ts'

describe('settings', () => {
  it('come from arguments, then the environment, then defaults', () => {
    const settings = readSettings(['--server', 'http://a.example/', '--slots', '3'], {
      WEFT_SERVER: 'http://b.example',
      WEFT_AGENT_NAME: 'Desk',
      WEFT_LABELS: 'fast, paris,',
      WEFT_BROWSER: '',
    })
    expect(settings).toMatchObject({
      server: 'http://a.example',
      slots: 3,
      name: 'Desk',
      labels: ['fast', 'paris'],
      browser: undefined,
      logLevel: 'info',
    })
  })

  it.each([
    [['--slots', '0'], '--slots'],
    [['--server', 'ftp://x'], '--server'],
    [['--nonsense'], 'nonsense'],
    [['--log-level', 'loud'], '--log-level'],
  ])('stop the start with one line: %j', (args, text) => {
    try {
      readSettings(args, {})
      expect.unreachable()
    } catch (error) {
      expect(error).toBeInstanceOf(AgentExit)
      expect(error).toMatchObject({ exitCode: EXIT.settings, message: expect.stringContaining(text) })
    }
  })
})
