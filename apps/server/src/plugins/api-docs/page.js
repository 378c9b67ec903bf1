const main = document.querySelector('#calls')
const find = document.querySelector('#find')

const make = (name, text) => {
  const element = document.createElement(name)
  if (text) element.textContent = text
  return element
}

function who(call) {
  if (call['x-ability']) return `${call['x-ability'].action} on ${call['x-ability'].subject}`
  const [scheme] = call.security ?? []
  if (!scheme) return 'anybody'
  return (
    { agent: 'agents', refresh: 'the holder of the refresh cookie' }[Object.keys(scheme)[0]] ??
    'anybody signed in'
  )
}

function section(title, value) {
  if (!value || (Array.isArray(value) && value.length === 0)) return []
  return [make('h4', title), make('pre', JSON.stringify(value, null, 2))]
}

/** Every code that the call may fail with, by status. */
function failures(responses) {
  return Object.entries(responses).flatMap(([status, { content }]) => {
    const codes = content?.['application/json']?.schema?.allOf?.[1]?.properties.code.enum
    return codes ? [`${status}: ${codes.join(', ')}`] : []
  })
}

function callOf(path, method, call) {
  const details = make('details')
  const summary = make('summary')
  summary.append(make('b', method.toUpperCase()), make('code', path), make('span', ` ${call.summary}`))
  details.append(summary)
  details.dataset.text = `${path} ${call.summary} ${call.operationId}`.toLowerCase()
  details.addEventListener(
    'toggle',
    () =>
      details.append(
        make('p', `Who may: ${who(call)}. Name: ${call.operationId}`),
        ...section('Parameters', call.parameters),
        ...section('Body', call.requestBody?.content),
        ...section('Answer', call.responses[200].content),
        ...section('Failures', failures(call.responses)),
      ),
    { once: true },
  )
  return details
}

const { paths } = await (await fetch('/api-docs/json')).json()
const calls = Object.entries(paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, call]) => callOf(path, method, call)),
)
main.replaceChildren(...calls)
find.addEventListener('input', () => {
  const wanted = find.value.toLowerCase()
  for (const call of calls) call.hidden = !call.dataset.text.includes(wanted)
})
