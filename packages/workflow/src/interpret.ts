export { execute } from './interpret/execute.ts'
export { planResume } from './interpret/resume.ts'
export type { GoOn, HeldState, HoldEnd, HoldOptions, HoldPlace, HoldRequest } from './interpret/hold.ts'
export * from './interpret/types.ts'
