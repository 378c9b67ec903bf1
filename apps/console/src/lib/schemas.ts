import { config } from 'zod'

// Schemas would try whether they may compile themselves to code; the page's policy forbids it and reports each try.
config({ jitless: true })
