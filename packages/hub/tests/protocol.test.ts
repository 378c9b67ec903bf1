import { JsonHubProtocol, NullLogger } from '@microsoft/signalr'
import { describe, expect, test } from 'vitest'
import {
  checkHandshake,
  OutRecord,
  parseMessage,
  ProtocolError,
  RecordCutter,
  write,
} from '../src/protocol.ts'

const cut = (cutter: RecordCutter, text: string | Buffer): string[] => [...cutter.cut(Buffer.from(text))]

describe('cutting records', () => {
  test('takes many from one unit and keeps an unfinished rest', () => {
    const cutter = new RecordCutter(100)
    expect(cut(cutter, 'a\u001eb\u001ec')).toEqual(['a', 'b'])
    expect(cut(cutter, 'd')).toEqual([])
    expect(cut(cutter, '\u001e')).toEqual(['cd'])
  })

  test('joins a character that was split between units', () => {
    const cutter = new RecordCutter(100)
    const bytes = Buffer.from('é\u001e')
    expect([...cutter.cut(bytes.subarray(0, 1))]).toEqual([])
    expect([...cutter.cut(bytes.subarray(1))]).toEqual(['é'])
  })

  test('joins a record that came byte by byte', () => {
    const cutter = new RecordCutter(1000)
    const text = 'x'.repeat(500)
    const found: string[] = []
    for (const byte of Buffer.from(`${text}\u001e`)) found.push(...cutter.cut(Buffer.from([byte])))
    expect(found).toEqual([text])
  })

  test('limits each record with its separator, not the unit', () => {
    const cutter = new RecordCutter(10)
    expect(cut(cutter, '123456789\u001e'.repeat(50))).toHaveLength(50)
    expect(() => cut(cutter, '1234567890\u001e')).toThrow(ProtocolError)
  })

  test('limits a record that never ends', () => {
    const cutter = new RecordCutter(10)
    cut(cutter, '12345')
    expect(() => cut(cutter, '67890')).toThrow(ProtocolError)
  })

  test('serves what stood before a bad record', () => {
    const found: string[] = []
    expect(() => {
      for (const text of new RecordCutter(5).cut(Buffer.from('a\u001e1234567\u001e'))) found.push(text)
    }).toThrow(ProtocolError)
    expect(found).toEqual(['a'])
  })

  test('refuses what is not UTF-8', () => {
    expect(() => cut(new RecordCutter(10), Buffer.from([0xff, 0xfe, 0x1e]))).toThrow(ProtocolError)
  })
})

describe('the handshake', () => {
  test.each([
    ['{"protocol":"json","version":1}', null],
    ['{"version":2,"protocol":"json","more":true}', null],
    ['{"protocol":"messagepack","version":1}', "The protocol 'messagepack' is not supported."],
    ['{"protocol":"json","version":9}', "The server does not support version 9 of the 'json' protocol."],
    ...['', 'x', '[]', 'null', '{}', '{"protocol":"json"}', '{"protocol":1,"version":1}', '{"type":6}'].map(
      (text): [string, string] => [text, 'An unexpected error occurred during connection handshake.'],
    ),
  ])('%s', (text, error) => expect(checkHandshake(text)).toBe(error))
})

describe('reading messages', () => {
  test('fields may come in any order, and unknown ones are ignored', () => {
    expect(
      parseMessage('{"arguments":[1],"x":{},"target":"A","invocationId":"7","type":1,"headers":{}}'),
    ).toEqual({
      type: 'call',
      id: '7',
      target: 'A',
      args: [1],
      uploads: [],
      streaming: false,
    })
  })

  test('a call without an id wants no answer', () => {
    expect(parseMessage('{"type":1,"target":"A","arguments":[]}')).toMatchObject({ id: null })
    expect(parseMessage('{"type":1,"target":"A","arguments":[],"invocationId":null}')).toMatchObject({
      id: null,
    })
  })

  test('the other types', () => {
    expect(parseMessage('{"type":2,"invocationId":"1","item":null}')).toEqual({
      type: 'item',
      id: '1',
      item: null,
    })
    expect(parseMessage('{"type":3,"invocationId":"1"}')).toEqual({
      type: 'completion',
      id: '1',
      error: null,
    })
    expect(parseMessage('{"type":3,"invocationId":"1","error":"x"}')).toMatchObject({ error: 'x' })
    expect(
      parseMessage('{"type":4,"invocationId":"1","target":"A","arguments":[],"streamIds":["2"]}'),
    ).toMatchObject({
      streaming: true,
      uploads: ['2'],
    })
    expect(parseMessage('{"type":5,"invocationId":"1"}')).toEqual({ type: 'cancel', id: '1' })
    expect(parseMessage('{"type":6}')).toEqual({ type: 'ping' })
    expect(parseMessage('{"type":7,"error":"x"}')).toEqual({ type: 'close' })
  })

  test.each(['{"type":8,"sequenceId":1}', '{"type":9,"sequenceId":1}', '{"type":99}'])(
    'ignores the unknown %s',
    (text) => expect(parseMessage(text)).toEqual({ type: 'unknown' }),
  )

  test.each([
    '',
    'x',
    '1',
    'null',
    '[]',
    '{}',
    '{"type":"1"}',
    '{"type":1}',
    '{"type":1,"target":"A"}',
    '{"type":1,"target":"","arguments":[]}',
    '{"type":1,"target":"A","arguments":{}}',
    '{"type":1,"target":"A","arguments":[],"invocationId":1}',
    '{"type":1,"target":"A","arguments":[],"invocationId":""}',
    '{"type":1,"target":"A","arguments":[],"streamIds":"1"}',
    '{"type":1,"target":"A","arguments":[],"streamIds":[1]}',
    '{"type":4,"target":"A","arguments":[]}',
    '{"type":2,"invocationId":"1"}',
    '{"type":2,"item":1}',
    '{"type":3}',
    '{"type":3,"invocationId":"1","error":"x","result":1}',
    '{"type":5}',
  ])('refuses %s', (text) => expect(() => parseMessage(text)).toThrow(ProtocolError))
})

describe('writing records', () => {
  const parser = new JsonHubProtocol()
  const parse = (out: OutRecord) => parser.parseMessages(out.bytes.toString(), NullLogger.instance)

  test('the handshake answer is exactly {}', () => expect(write.handshake.bytes.toString()).toBe('{}\u001e'))

  test('the official parser takes every record', () => {
    expect(parse(write.ping)).toEqual([{ type: 6 }])
    expect(parse(new OutRecord(write.call('send', [{ a: 1 }])))).toEqual([
      { type: 1, target: 'send', arguments: [{ a: 1 }] },
    ])
    expect(parse(write.item('1', undefined))).toEqual([{ type: 2, invocationId: '1', item: null }])
    expect(parse(write.item('"', { a: 1 }))).toEqual([{ type: 2, invocationId: '"', item: { a: 1 } }])
    expect(parse(write.result('1', undefined))).toEqual([{ type: 3, invocationId: '1' }])
    expect(parse(write.result('1', null))).toEqual([{ type: 3, invocationId: '1', result: null }])
    expect(parse(write.error('1', 'x'))).toEqual([{ type: 3, invocationId: '1', error: 'x' }])
    expect(parse(write.close())).toEqual([{ type: 7 }])
    expect(parse(write.close('x', true))).toEqual([{ type: 7, error: 'x', allowReconnect: true }])
    expect(parse(write.close('', false))).toEqual([{ type: 7 }])
  })

  test('an event carries one record, line by line', () => {
    expect(write.ping.event.toString()).toBe('data: {"type":6}\u001e\n\n')
    expect(new OutRecord('{\r\n"type":6\n}').event.toString()).toBe(
      'data: {\ndata: "type":6\ndata: }\u001e\n\n',
    )
  })
})
