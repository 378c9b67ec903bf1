export const PROJECT_ERRORS = {
  'project.frozen': 409,
  'project.archived': 409,
  'project.not_yours': 403,
  'project.too_many': 409,
  'project.beyond_own': 403,
  'project.member_bound': 409,
  'project.owner_stays': 409,
  'project.lacks': 409,
  'project.bad_file': 422,
} as const
