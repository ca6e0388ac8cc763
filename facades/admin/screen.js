/** The screen: signs people in, lists and makes spaces. Everything it does, a procedure does. */

const message = document.querySelector('#message')
const parts = ['link', 'invitation', 'entrance', 'home']

// What a link carries is taken out of the address at once, so that it stays in no history.
const secret = location.hash.slice(1)
const isInvitation = location.pathname === '/admin/join'
history.replaceState(null, '', '/admin')

/** Calls a procedure; throws an Error whose message can be shown. */
const call = async (procedure, input, method = 'POST') => {
  const response = await fetch(`/trpc/${procedure}`, {
    method,
    ...(method === 'POST'
      ? { headers: { 'content-type': 'application/json' }, body: JSON.stringify(input ?? {}) }
      : {}),
  })
  const answer = await response.json()
  if (!answer.error) return answer.result.data
  const { problem } = answer.error.data
  const reasons = (problem.errors ?? []).map(({ field, message }) => `${field} ${message}`)
  throw new Error(reasons.length > 0 ? reasons.join('; ') : (problem.detail ?? problem.title))
}

const show = (...names) => {
  for (const name of parts) document.getElementById(name).hidden = !names.includes(name)
}

/** Runs what a button or a form does, and says what went wrong. */
const attempt = async work => {
  message.textContent = ''
  try {
    await work()
  } catch (error) {
    message.textContent = error.message
  }
}

const onSubmit = (id, work) =>
  document.getElementById(id).addEventListener('submit', event => {
    event.preventDefault()
    const form = event.currentTarget
    void attempt(async () => {
      await work(Object.fromEntries([...new FormData(form)].filter(([, value]) => value !== '')))
      form.reset()
    })
  })

const enter = async () => {
  const me = await call('accounts.me', undefined, 'GET').catch(() => null)
  message.textContent = me ? `You are signed in as ${me.handle}.` : ''
  if (!me) {
    if (isInvitation && secret) message.textContent = 'Sign in or make an account to join the space.'
    return show('entrance')
  }
  document.querySelector('#password .current').hidden = !me.has_password
  // Password managers file the new password under this name.
  document.querySelector('#password [name=username]').value = me.handle
  const spaces = await call('spaces.list', undefined, 'GET')
  document.querySelector('#spaces').replaceChildren(
    ...spaces.map(({ name, url }) => {
      const item = document.createElement('li')
      const link = document.createElement('a')
      link.href = `${url}/`
      link.textContent = name
      item.append(link)
      return item
    }),
  )
  show('home', ...(isInvitation && secret ? ['invitation'] : []))
}

const onClick = (selector, work) =>
  document.querySelector(selector).addEventListener('click', () => void attempt(work))

onClick('#link button', async () => {
  await call('sessions.createFromLink', { token: secret })
  await enter()
})
onClick('#invitation button', async () => {
  const { name } = await call('invites.accept', { token: secret })
  await enter()
  document.getElementById('invitation').hidden = true
  message.textContent = `You take part in ${name} now.`
})
onSubmit('sign-in', async fields => {
  await call('sessions.create', fields)
  await enter()
})
onSubmit('sign-up', async fields => {
  await call('accounts.signUp', fields)
  await enter()
})
onSubmit('new-space', async fields => {
  await call('spaces.create', fields)
  await enter()
})
onSubmit('password', async fields => {
  // There for password managers only.
  delete fields.username
  await call('accounts.setPassword', fields)
  await enter()
  message.textContent = 'The password is set. All other sessions have ended.'
})
onSubmit('sign-out', async () => {
  await call('sessions.delete')
  await enter()
})

if (secret && !isInvitation) {
  message.textContent = ''
  show('link')
} else {
  await enter()
}
