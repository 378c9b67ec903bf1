import { useSyncExternalStore } from 'react'

const query = () => matchMedia('(prefers-color-scheme: dark)')

function subscribe(listener: () => void): () => void {
  const media = query()
  media.addEventListener('change', listener)
  return () => media.removeEventListener('change', listener)
}

/** Whether the operating system wishes for dark. */
export function useSystemDark(): boolean {
  return useSyncExternalStore(subscribe, () => query().matches)
}
