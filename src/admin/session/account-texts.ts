import { ownTexts } from '../texts/index.js';

/** Of the pages that need no session, which few people see: the app does not load these texts at first. */
export const accountText = ownTexts({
  en: {
    'forgotten.title': 'Forgotten password',
    'forgotten.hint': 'Enter your email address. You get a link to choose a new password.',
    'forgotten.send': 'Send the link',
    'forgotten.sent':
      'If an account has the address {email}, a mail with a link is on its way. The link works for one hour.',
    'forgotten.none':
      'No mail? Look into the spam folder, or ask an administrator of your project for a link.',
    'link.invitation': 'Accept the invitation',
    'link.invitationHint': 'Choose the password that you will log in with.',
    'link.password': 'Choose a new password',
    'link.account': 'For {name} ({email}) in “{tenant}”.',
    'link.new': 'New password',
    'link.again': 'Repeat the password',
    'link.length': 'At least {least} characters.',
    'link.differ': 'The two passwords are different.',
    'link.save': 'Save the password',
    'link.done': 'Your password is saved',
    'link.doneHint': 'Log in with it now.',
    'link.toLogin': 'To the login',
    'link.dead': 'This link does not work',
    'link.used': 'The link has been used: your password is set. Log in with it.',
    'link.expired': 'The link has expired.',
    'link.replaced': 'A newer link was made since. Use the one in the latest mail.',
    'link.revoked': 'The link was withdrawn, or what it was for has changed.',
    'link.unknown':
      'The link is incomplete, or does not belong to this installation. Copy it as a whole from the mail.',
    'link.askInviter': 'Ask the person who invited you to send the invitation again.',
    'link.askAgain': 'You can request a new link.',
    'link.request': 'Request a new link',
  },
  de: {
    'forgotten.title': 'Passwort vergessen',
    'forgotten.hint':
      'Geben Sie Ihre E-Mail-Adresse ein. Sie erhalten einen Link, mit dem Sie ein neues Passwort festlegen.',
    'forgotten.send': 'Link senden',
    'forgotten.sent':
      'Wenn ein Konto die Adresse {email} hat, ist eine E-Mail mit einem Link unterwegs. Der Link gilt eine Stunde.',
    'forgotten.none':
      'Keine E-Mail? Sehen Sie im Spam-Ordner nach, oder bitten Sie eine Person aus der Verwaltung Ihres Projekts um einen Link.',
    'link.invitation': 'Einladung annehmen',
    'link.invitationHint': 'Legen Sie das Passwort fest, mit dem Sie sich anmelden werden.',
    'link.password': 'Neues Passwort festlegen',
    'link.account': 'Für {name} ({email}) bei „{tenant}“.',
    'link.new': 'Neues Passwort',
    'link.again': 'Passwort wiederholen',
    'link.length': 'Mindestens {least} Zeichen.',
    'link.differ': 'Die beiden Passwörter sind verschieden.',
    'link.save': 'Passwort speichern',
    'link.done': 'Ihr Passwort ist gespeichert',
    'link.doneHint': 'Melden Sie sich jetzt damit an.',
    'link.toLogin': 'Zur Anmeldung',
    'link.dead': 'Dieser Link gilt nicht',
    'link.used': 'Der Link wurde verwendet: Ihr Passwort ist festgelegt. Melden Sie sich damit an.',
    'link.expired': 'Der Link ist abgelaufen.',
    'link.replaced': 'Seitdem wurde ein neuerer Link erzeugt. Verwenden Sie den aus der letzten E-Mail.',
    'link.revoked': 'Der Link wurde zurückgezogen, oder es hat sich geändert, wofür er galt.',
    'link.unknown':
      'Der Link ist unvollständig oder gehört nicht zu dieser Installation. Kopieren Sie ihn vollständig aus der E-Mail.',
    'link.askInviter': 'Bitten Sie die Person, die Sie eingeladen hat, die Einladung noch einmal zu senden.',
    'link.askAgain': 'Sie können einen neuen Link anfordern.',
    'link.request': 'Neuen Link anfordern',
  },
});
