import { expect, it } from 'vitest'
import { imageSize } from './image-size.ts'

const hex = (text: string) => Buffer.from(text.replaceAll(/\s/g, ''), 'hex')

it.each([
  [
    'PNG',
    '89504e470d0a1a0a 0000000d 49484452 00000140 000000b4 08020000 00 00000000 00000000 49454e44 ae426082',
    [320, 180],
  ],
  ['JPEG', 'ffd8 ffe0 0004 0000 ffc0 0011 08 00b4 0140 03 01 22 00', [320, 180]],
  [
    'WebP, lossy',
    '52494646 1c000000 57454250 56503820 10000000 000000 9d012a 4001 b400 000000000000',
    [320, 180],
  ],
  ['WebP, extended', '52494646 16000000 57454250 56503858 0a000000 00000000 3f0100 b30000', [320, 180]],
])('knows the size of a %s', (_name, bytes, [width, height]) => {
  expect(imageSize(hex(bytes))).toEqual({ width, height })
})

it.each([
  '',
  'ffd8',
  'ffd8ff',
  '89504e470d0a1a0a',
  '3c737667',
  'ffd8 ffe0 0000',
  '52494646 ffffffff 57454250 56503858',
])('knows that %s is no picture', (bytes) => {
  expect(imageSize(hex(bytes))).toBeUndefined()
})
