import { Skeleton } from '@mantine/core'
import classes from './dashboard.module.css'

/** The dashboard in the making, in its own shape. */
export function DashboardSkeleton() {
  return (
    <div className={classes.stack} aria-busy="true">
      <div className={classes.figures}>
        {Array.from({ length: 6 }, (_, at) => (
          <Skeleton key={at} height={112} radius="lg" />
        ))}
      </div>
      <div className={classes.charts}>
        <Skeleton height={310} radius="lg" />
        <Skeleton height={310} radius="lg" />
      </div>
      <Skeleton height={240} radius="lg" />
    </div>
  )
}
