import classes from './states.module.css'

/** The shape of something that is still to come; `still` where hundreds of them pass by. */
export function Bone({ height, width, still }: { height: number; width?: string; still?: boolean }) {
  return <span className={classes.bone} data-bone data-still={still || undefined} style={{ height, width }} />
}
