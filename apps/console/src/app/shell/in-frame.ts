import { createContext } from 'react'

/** Whether what is drawn stands within the frame, which has the main landmark. */
export const InFrame = createContext(false)
