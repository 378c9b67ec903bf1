/**
 * The workflow of the "Getting started" project: signs in at the practice site, reads the list, posts a notice with a
 * picture, and reads the notice's number back. Posting is irreversible: nobody wants the same notice twice.
 */
export function practiceWorkflow(siteUrl: string, pictureFileId: string) {
  const testId = (id: string) => ({ by: 'testId', id })
  const label = (text: string) => ({ by: 'label', text })
  const steps = [
    step('sign_in', 'sign-in', 'Sign in', {
      url: '{{ inputs.site }}/sign-in',
      usernameTargets: [label('Username')],
      passwordTargets: [label('Password')],
      submitTargets: [testId('sign-in-submit'), { by: 'role', role: 'button', name: 'Sign in' }],
      signedInTargets: [testId('signed-in-user')],
      refusedTargets: [testId('sign-in-error')],
    }),
    step('open_list', 'open-page', 'Open the notices', { url: '{{ inputs.site }}/notices' }),
    step('read_list', 'extract', 'Read the list', {
      what: 'list',
      targets: [testId('notice')],
      columns: [{ name: 'title', selector: 'a' }],
      maxRows: 20,
    }),
    step('open_form', 'open-page', 'Open the form', { url: '{{ inputs.site }}/notices/new' }),
    step('fill_title', 'fill', 'Write the heading', {
      targets: [{ by: 'css', selector: 'input[name="title"]' }],
      value: '{{ inputs.heading }} ({{ item.account.username }})',
    }),
    step('fill_text', 'fill', 'Write the text', {
      targets: [{ by: 'css', selector: 'textarea[name="body"]' }],
      value:
        'Posted by {{ item.account.displayName }}. There were {{ steps.read_list.count }} notices on the first page.',
    }),
    step('choose_category', 'select', 'Choose a category', {
      targets: [{ by: 'css', selector: 'select[name="category"]' }],
      by: 'index',
      value: '1',
    }),
    step('add_picture', 'upload-file', 'Add the picture', {
      targets: [{ by: 'css', selector: 'input[type="file"]' }],
      file: '{{ inputs.picture }}',
    }),
    step('post', 'click', 'Post the notice', {
      targets: [testId('notice-submit'), { by: 'role', role: 'button', name: 'Post notice' }],
      waitForNavigation: true,
      sideEffect: 'irreversible',
    }),
    step('read_number', 'extract', "Read the notice's number", {
      what: 'text',
      targets: [testId('notice-number')],
    }),
    step('picture_of_notice', 'screenshot', 'Keep a picture of the notice', { name: 'notice' }),
    step('finish', 'finish', 'Hand in the results', {
      outputs: [
        { name: 'number', value: '{{ steps.read_number.value }}' },
        { name: 'noticesSeen', value: '{{ steps.read_list.count }}' },
      ],
    }),
  ]
  return {
    schemaVersion: 1,
    inputs: [
      { name: 'site', type: 'text', label: 'Address of the site', required: true, default: siteUrl },
      {
        name: 'heading',
        type: 'text',
        label: 'Heading of the notice',
        required: true,
        default: 'A berth to let',
      },
      {
        name: 'picture',
        type: 'text',
        label: 'Picture (a stored file)',
        required: true,
        default: pictureFileId,
      },
    ],
    variables: [],
    start: 'sign_in',
    activities: steps,
    connections: steps
      .slice(1)
      .map((to, index) => ({ from: steps[index]?.id ?? '', outcome: 'done', to: to.id })),
    settings: { timeLimitSeconds: 180, maxAttempts: 1, traceOn: 'failure' },
  }
}

function step(id: string, type: string, name: string, state: Record<string, unknown>) {
  return { id, type, typeVersion: 1, name, state }
}
