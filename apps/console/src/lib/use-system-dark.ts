import { useMedia } from './use-media.ts'

/** Whether the operating system wishes for dark. */
export function useSystemDark(): boolean {
  return useMedia('(prefers-color-scheme: dark)')
}
