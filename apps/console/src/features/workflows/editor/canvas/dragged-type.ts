/** Under what an activity of the palette is carried while it is dragged. */
export const DRAGGED_TYPE = 'application/x-weft-activity'
