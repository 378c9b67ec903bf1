/** Other headers that people write for a field: what the console calls it in its languages, and common words; parted by commas. */
const HEADERS: Readonly<Record<string, readonly string[]>> = {
  username: [
    'user, login, account, user name, nom d’utilisateur, utilisateur, identifiant, compte',
    'اسم المستخدم, المستخدم, الحساب',
  ],
  password: ['pass, pwd, mot de passe, mdp', 'كلمة المرور, كلمة السر, الرقم السري'],
  totpSeed: [
    'totp, 2fa, otp, totp secret, authenticator seed, clé d’authentification',
    'مفتاح تطبيق المصادقة, مفتاح المصادقة',
  ],
  recoveryCodes: ['backup codes, codes de secours, codes de récupération', 'رموز الاسترداد'],
  displayName: ['full name, nom affiché, nom complet', 'الاسم الظاهر, الاسم الكامل'],
  email: [
    'mail, e-mail, email address, courriel, adresse e-mail, adresse mail',
    'البريد الإلكتروني, البريد, الإيميل',
  ],
  channelName: ['channel, nom de la chaîne, chaîne', 'اسم القناة, القناة'],
  type: ['kind, platform, account type, plateforme, type de compte', 'النوع, المنصة, نوع الحساب'],
  kind: ['type, nature', 'النوع'],
  status: ['state, statut, état', 'الحالة'],
  allowedDomains: ['domains, domaines autorisés, domaines', 'النطاقات المسموحة, النطاقات'],
  'limits.perDay': ['runs a day, per day, exécutions par jour, par jour', 'عمليات التشغيل في اليوم'],
  'limits.perHour': ['runs an hour, per hour, exécutions par heure, par heure', 'عمليات التشغيل في الساعة'],
  'limits.cooldownMinutes': ['pause in minutes, pause, pause en minutes', 'الاستراحة بالدقائق, الاستراحة'],
  'limits.quietHours': ['quiet hours, heures calmes', 'ساعات الهدوء'],
  'ownership.owner': ['owner, propriétaire', 'المالك'],
  'ownership.attestedAt': ['attested on, attested at, attesté le', 'تاريخ الإقرار'],
  owner: ['propriétaire', 'المالك'],
  host: ['ip, address, server, proxy, hôte, adresse, adresse ip, serveur', 'المضيف, العنوان, الخادم, الوكيل'],
  port: ['المنفذ'],
  protocol: ['scheme, protocole', 'البروتوكول'],
  provider: ['fournisseur', 'المزوّد'],
  country: ['pays', 'البلد, الدولة'],
  city: ['ville', 'المدينة'],
  costPerMonth: ['cost, price, coût mensuel, coût, prix', 'التكلفة الشهرية, التكلفة, السعر'],
  currency: ['devise', 'العملة'],
  capacity: ['capacité', 'السعة'],
  expiresAt: ['expires, expiry, expire, expire le, expiration', 'ينتهي, الانتهاء, تاريخ الانتهاء'],
  disabled: ['désactivé', 'معطّل'],
  countryCode: ['country, dial code, indicatif, pays', 'رمز البلد, البلد'],
  phoneNumber: [
    'phone, number, mobile, telephone, numéro de téléphone, téléphone, numéro, portable',
    'رقم الهاتف, الهاتف, الرقم, الجوال',
  ],
  label: ['libellé', 'التسمية'],
  labels: ['libellés', 'التسميات'],
  deviceNote: ['device, appareil', 'الجهاز'],
  name: ['title, profile, client, nom, titre, profil', 'الاسم, العنوان, ملف التعريف, العميل'],
  title: ['name, titre, nom', 'العنوان, الاسم'],
  description: ['الوصف'],
  browserType: ['browser, type de navigateur, navigateur', 'نوع المتصفح, المتصفح'],
  locale: ['language, langue et région, langue', 'اللغة والمنطقة, اللغة'],
  timeZone: ['tz, fuseau horaire, fuseau', 'المنطقة الزمنية'],
  startUrls: ['start pages, pages de départ', 'صفحات البداية'],
  rights: ['droits', 'الحقوق'],
  rightsSource: ['rights from, droits accordés par', 'مصدر الحقوق'],
  licence: ['license', 'الترخيص'],
  rightsUntil: ['droits jusqu’au', 'الحقوق حتى'],
  tags: ['tag, labels, étiquettes, étiquette', 'الوسوم, وسوم'],
  notes: ['note, comment, remarks, remarque, remarques, commentaire', 'ملاحظات, ملاحظة, الملاحظات'],
}

/** The other headers that a field is known by. */
export function aliasesOf(name: string): string[] {
  return (HEADERS[name] ?? []).flatMap((words) => words.split(', '))
}

/** A header without what people write in one way or the other: case, spaces, punctuation, accents and vowel signs. */
export function plain(header: string): string {
  return header
    .toLowerCase()
    .normalize('NFKD')
    .replaceAll(/[^\p{L}\p{N}]+/gu, '')
}
