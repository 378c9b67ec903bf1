export * from './interpret/types.ts'
