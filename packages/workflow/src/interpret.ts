export { execute } from './interpret/execute.ts'
export { planResume } from './interpret/resume.ts'
export * from './interpret/types.ts'
