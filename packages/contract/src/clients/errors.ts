export const CLIENT_ERRORS = {
  'client.revoked': 403,
  'client.not_connected': 409,
  'agent.wrong_code': 403,
  'agent.wrong_signature': 401,
  'agent.session_conflict': 409,
  'agent.unsupported_protocol': 409,
  'agent.unknown_run': 404,
  'agent.range': 416,
  'agent.wrong_hash': 422,
  'agent.file_too_large': 413,
} as const
