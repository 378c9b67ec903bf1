import { Bone } from '../../../kit/states/bone.tsx'
import classes from './dashboard.module.css'

/** The dashboard in the making, in its own shape. */
export function DashboardSkeleton() {
  return (
    <div className={classes.stack} aria-busy="true">
      <div className={classes.figures}>
        {Array.from({ length: 6 }, (_, at) => (
          <Bone key={at} height={112} />
        ))}
      </div>
      <div className={classes.charts}>
        <Bone height={310} />
        <Bone height={310} />
      </div>
      <Bone height={240} />
    </div>
  )
}
