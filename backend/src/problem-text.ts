type Locale = 'en' | 'de';

/**
 * What is said of single fields, in German. The code says it in English, where it finds it; `{}` stands for what it fills in.
 * A test finds every such text in the source, and fails for one that is missing here.
 */
const GERMAN: Readonly<Record<string, string>> = {
  // Of any field.
  'This field is required.': 'Diese Angabe fehlt.',
  'This field is not known.': 'Dieses Feld ist nicht bekannt.',
  'This must be a string.': 'Das muss ein Text sein.',
  'This must be a number.': 'Das muss eine Zahl sein.',
  'This must be an integer.': 'Das muss eine ganze Zahl sein.',
  'This must be a boolean.': 'Das muss true oder false sein.',
  'This must be an array.': 'Das muss eine Liste sein.',
  'This must be an object.': 'Das muss ein Objekt sein.',
  'This must be a record.': 'Das muss ein Objekt sein.',
  'This must be null.': 'Das muss null sein.',
  'This fits none of the accepted forms.': 'Das passt zu keiner der möglichen Formen.',
  'This does not have the right form.': 'Das hat nicht die richtige Form.',
  'This cannot be used.': 'Das ist nicht verwendbar.',
  'This must be {}.': 'Das muss {} sein.',
  'This must be one of {}.': 'Möglich sind {}.',
  'This is none of the values that are possible.': 'Das ist keiner der möglichen Werte.',
  'This must be a multiple of {}.': 'Das muss ein Vielfaches von {} sein.',
  'This must not be empty.': 'Das darf nicht leer sein.',
  'At least {} characters.': 'Mindestens {} Zeichen.',
  'At most {} characters.': 'Höchstens {} Zeichen.',
  'At least {} entries.': 'Mindestens {} Einträge.',
  'At most {} entries.': 'Höchstens {} Einträge.',
  'At least {}.': 'Mindestens {}.',
  'At most {}.': 'Höchstens {}.',
  'More than {}.': 'Mehr als {}.',
  'Less than {}.': 'Weniger als {}.',
  'At least one.': 'Mindestens eins.',
  'Text must be well-formed Unicode without NUL.': 'Text muss gültiges Unicode ohne NUL sein.',
  'This must not hold control characters.': 'Das darf keine Steuerzeichen enthalten.',
  'Control characters are not allowed.': 'Steuerzeichen sind nicht erlaubt.',
  'This must hold something that can be seen.': 'Das muss etwas Sichtbares enthalten.',
  'This must be a UUID.': 'Das muss eine UUID sein.',
  'This must be an e-mail address.': 'Das muss eine E-Mail-Adresse sein.',
  'This must be a URL.': 'Das muss eine URL sein.',
  'This must be an IPv4 or IPv6 address.': 'Das muss eine IPv4- oder IPv6-Adresse sein.',
  'This must be an IPv4 address, such as 192.0.2.1.': 'Das muss eine IPv4-Adresse sein, etwa 192.0.2.1.',
  'This must be an IPv6 address, such as 2001:db8::1.': 'Das muss eine IPv6-Adresse sein, etwa 2001:db8::1.',
  'This must be an address or a network such as 192.0.2.0/24.':
    'Das muss eine Adresse oder ein Netz wie 192.0.2.0/24 sein.',
  'This must be a network such as 192.0.2.0/24 or 2001:db8::/32.':
    'Das muss ein Netz wie 192.0.2.0/24 oder 2001:db8::/32 sein.',
  'This must be an address, a network in CIDR notation or a host name.':
    'Das muss eine Adresse, ein Netz in CIDR-Schreibweise oder ein Hostname sein.',
  'This must be Base 64.': 'Das muss Base64 sein.',
  'This must be hexadecimal.': 'Das muss hexadezimal sein.',
  'This must be a next_cursor.': 'Das muss ein next_cursor sein.',
  'Lists reach back {} rows: narrow the filters instead of paging on.':
    'Listen reichen {} Zeilen zurück: Filter einengen, statt weiterzublättern.',
  'At most {} rows a page.': 'Höchstens {} Zeilen je Seite.',

  // Times.
  'This day is not in the calendar.': 'Diesen Tag gibt es nicht.',
  'There is no such day.': 'Diesen Tag gibt es nicht.',
  'This must be a date such as 1980-12-31.': 'Das muss ein Datum wie 1980-12-31 sein.',
  'This must be a day YYYY-MM-DD from 1970 to 2999.': 'Das muss ein Tag JJJJ-MM-TT von 1970 bis 2999 sein.',
  'This must be a month YYYY-MM from 1970 to 2999.': 'Das muss ein Monat JJJJ-MM von 1970 bis 2999 sein.',
  'This must be a moment in the future.': 'Das muss ein Zeitpunkt in der Zukunft sein.',
  'This must be a moment such as 2027-01-31 23:00:00 (UTC) or 2027-02-01T00:00:00+01:00 (RFC 3339).':
    'Das muss ein Zeitpunkt wie 2027-01-31 23:00:00 (UTC) oder 2027-02-01T00:00:00+01:00 (RFC 3339) sein.',
  'This must be a moment that there is, as YYYY-MM-DD HH:MM:SS.':
    'Das muss ein Zeitpunkt sein, den es gibt, als JJJJ-MM-TT HH:MM:SS.',
  'This moment does not exist.': 'Diesen Zeitpunkt gibt es nicht.',
  'No such moment.': 'Diesen Zeitpunkt gibt es nicht.',
  'This must be in the future, and after valid_from.': 'Das muss in der Zukunft und nach valid_from liegen.',
  'The period must not end before it begins.': 'Der Zeitraum darf nicht enden, bevor er beginnt.',
  'It must end after it begins.': 'Das Ende muss nach dem Anfang liegen.',
  'Totals are of a period: give from and to.': 'Summen gelten für einen Zeitraum: from und to angeben.',
  'At most {} days, and not after the last.': 'Höchstens {} Tage, und nicht nach dem letzten.',

  // People and addresses.
  'This must be a country’s code such as DE (ISO 3166-1 alpha-2).':
    'Das muss ein Ländercode wie DE sein (ISO 3166-1 alpha-2).',
  'This must be a subdivision such as US-CA (ISO 3166-2).':
    'Das muss ein Landesteil wie US-CA sein (ISO 3166-2).',
  'This must be a part of {}.': 'Das muss ein Landesteil von {} sein.',
  'This must be a telephone number such as +49 69 1234567 (E.164).':
    'Das muss eine Telefonnummer wie +49 69 1234567 sein (E.164).',
  'This must be a VAT number of the EU, such as DE123456789.':
    'Das muss eine Umsatzsteuer-Identifikationsnummer der EU sein, etwa DE123456789.',
  'There are no VAT numbers of the EU in {}.':
    'In {} gibt es keine Umsatzsteuer-Identifikationsnummern der EU.',
  'VAT numbers in {} begin with {}.': 'Umsatzsteuer-Identifikationsnummern in {} beginnen mit {}.',
  'Postal codes in {} look like {}.': 'Postleitzahlen in {} sehen aus wie {}.',
  'This must be an IANA time zone such as Europe/Berlin.':
    'Das muss eine Zeitzone der IANA sein, etwa Europe/Berlin.',
  'This must be a language tag such as en or de-AT (BCP 47).':
    'Das muss eine Sprachangabe wie en oder de-AT sein (BCP 47).',
  'This must be an IBAN.': 'Das muss eine IBAN sein.',
  'This is your address already.': 'Das ist schon Ihre Adresse.',
  'This password is too easy to guess.': 'Dieses Passwort ist zu leicht zu erraten.',
  'Six digits, or a recovery code.': 'Sechs Ziffern oder ein Wiederherstellungscode.',
  'An organisation has a name.': 'Eine Organisation hat einen Namen.',
  'At least one role.': 'Mindestens eine Rolle.',
  'At most {} fields.': 'Höchstens {} Felder.',
  'You have no such contact.': 'Diesen Kontakt haben Sie nicht.',
  'Your address has no {}: account/save-address.': 'Ihrer Adresse fehlt {}: account/save-address.',
  'Persons are hidden in any case.': 'Personen sind in jedem Fall verborgen.',
  '{} is required under this TLD.': '{} ist unter dieser TLD nötig.',

  // Tokens, webhooks, money.
  'At least one scope.': 'Mindestens ein Recht.',
  'At most two decimals.': 'Höchstens zwei Nachkommastellen.',
  'At most 100 percent.': 'Höchstens 100 Prozent.',
  'More than nothing.': 'Mehr als nichts.',
  'Not zero, and a top-up not below it.': 'Nicht null, und eine Aufladung nicht darunter.',
  'A percentage has no currency.': 'Ein Prozentsatz hat keine Währung.',
  'Money is good for all products.': 'Geld gilt für alle Produkte.',
  'At least one product.': 'Mindestens ein Produkt.',
  'This must be a currency with two decimals.': 'Das muss eine Währung mit zwei Nachkommastellen sein.',
  'Nothing is sold in this currency.': 'In dieser Währung wird nichts verkauft.',
  'Prices are in {}.': 'Preise gibt es in {}.',
  'From {} to {} {}.': 'Von {} bis {} {}.',
  'Only money that came in {} can be booked.': 'Nur Geld, das in {} kam, kann gebucht werden.',
  'This cannot be imported: {}.': 'Das lässt sich nicht einlesen: {}.',
  'An automatic top-up needs a threshold.': 'Eine automatische Aufladung braucht eine Schwelle.',
  'This must be a way to pay, such as bank.': 'Das muss eine Zahlungsart sein, etwa bank.',
  'What you pay with by this method cannot be kept.':
    'Womit Sie auf diese Art zahlen, lässt sich nicht speichern.',
  'This way to pay is not offered.': 'Diese Zahlungsart wird nicht angeboten.',
  'You have saved no such way to pay.': 'Diese Zahlungsart haben Sie nicht gespeichert.',
  'This must be below {}.': 'Das muss unter {} liegen.',
  'The token cannot outlive the one that makes it.':
    'Das Token kann nicht länger gelten als das, mit dem es erstellt wird.',
  'A token without `resource_allowlist` may order anyway.':
    'Ein Token ohne `resource_allowlist` darf ohnehin bestellen.',
  'A token that may order beyond its list needs a budget.':
    'Ein Token, das über seine Liste hinaus bestellen darf, braucht ein Budget.',
  'This must be a public https address, on port 443 or one from 1024 on, without a password or fragment.':
    'Das muss eine öffentliche https-Adresse sein, auf Port 443 oder einem ab 1024, ohne Passwort und Fragment.',
  'Either an event_uuid or a from_sequence is needed.': 'event_uuid oder from_sequence ist nötig.',
  'Either one event or a range.': 'Entweder ein Ereignis oder ein Bereich.',
  'At most {} events at once.': 'Höchstens {} Ereignisse auf einmal.',
  'At most {} services.': 'Höchstens {} Dienste.',
  'Each service once.': 'Jeder Dienst einmal.',
  'The quote was made for another request.': 'Das Angebot galt einer anderen Anfrage.',
  'This is not sold for that term.': 'Das gibt es nicht für diese Laufzeit.',
  'The code is used for this term only: the discount that the service has holds for longer, and goes on after it.':
    'Der Code gilt nur für diese Laufzeit: Der Rabatt des Dienstes hält länger und gilt danach weiter.',
  'This must be 3 to 64 letters, digits, - and _.': 'Das müssen 3 bis 64 Buchstaben, Ziffern, - und _ sein.',
  'There is no such customer.': 'Diesen Kunden gibt es nicht.',

  // Tickets.
  'There is no such department.': 'Diese Abteilung gibt es nicht.',
  'There is no such operator.': 'Diesen Mitarbeiter gibt es nicht.',
  'The ticket has no such message.': 'Diese Nachricht hat das Ticket nicht.',
  'A ticket is not merged into itself.': 'Ein Ticket lässt sich nicht mit sich selbst zusammenlegen.',
  'It is another customer’s.': 'Es gehört einem anderen Kunden.',
  'Name the ticket: the address names none that there is.':
    'Nennen Sie das Ticket: Die Adresse nennt keines, das es gibt.',
  'Nothing of yours has this identifier.': 'Nichts von Ihnen hat diese Kennung.',
  'Files of this kind cannot be attached.': 'Dateien dieser Art lassen sich nicht anhängen.',
  'This must be a name without a path.': 'Das muss ein Name ohne Pfad sein.',

  // Servers and webspaces.
  'This must be a fully qualified host name (RFC 1123), such as web.example.com.':
    'Das muss ein vollständiger Hostname sein (RFC 1123), etwa web.example.com.',
  'This must be a host name such as www.example.com.': 'Das muss ein Hostname wie www.example.com sein.',
  'This must be a host name.': 'Das muss ein Hostname sein.',
  'At most 64 KiB in UTF-8.': 'Höchstens 64 KiB in UTF-8.',
  'At most 64 KiB.': 'Höchstens 64 KiB.',
  'This must be one public key in the format of OpenSSH.':
    'Das muss ein öffentlicher Schlüssel im Format von OpenSSH sein.',
  'At most {} keys.': 'Höchstens {} Schlüssel.',
  'The account has no such key.': 'Diesen Schlüssel hat das Konto nicht.',
  'There is no such host.': 'Diesen Host gibt es nicht.',
  'The system in the server does not answer, so this takes a restart.':
    'Das System im Server antwortet nicht; also braucht das einen Neustart.',
  'There is no such medium.': 'Dieses Medium gibt es nicht.',
  'There is no such operating system for this host.': 'Dieses Betriebssystem gibt es für diesen Host nicht.',
  'A server cannot be installed anew with this.': 'Damit lässt sich ein Server nicht neu installieren.',
  'A server without an IPv4 address has no reverse name.':
    'Ein Server ohne IPv4-Adresse hat keinen Reverse-Namen.',
  'This host offers {} to {} in steps of {}.': 'Dieser Host bietet {} bis {} in Schritten von {}.',
  'Without a package this field is required.': 'Ohne Paket ist diese Angabe nötig.',
  'A package has its own size: leave this out, or the package.':
    'Ein Paket hat seine eigene Größe: das hier weglassen, oder das Paket.',
  'The package is sold on another host.': 'Das Paket gibt es auf einem anderen Host.',
  'The server is of this package.': 'Der Server hat dieses Paket.',
  'The server has more addresses or backup slots than a package.':
    'Der Server hat mehr Adressen oder Backup-Plätze als ein Paket.',
  'Nothing of its size would change.': 'An der Größe änderte sich nichts.',
  'Disks only grow: this one has {} GiB.': 'Platten wachsen nur: Diese hat {} GiB.',
  'At most {} rules.': 'Höchstens {} Regeln.',
  'Only tcp and udp have ports.': 'Nur tcp und udp haben Ports.',
  'Where the ports begin is missing.': 'Der erste Port fehlt.',
  'This must not be before port_from.': 'Das darf nicht vor port_from liegen.',
  'An IPv4 address, or an IPv6 network in prefix notation.':
    'Eine IPv4-Adresse oder ein IPv6-Netz in Präfixschreibweise.',
  'A network has at most 65,536 IPv4 addresses, or a /32 of IPv6.':
    'Ein Netz hat höchstens 65.536 IPv4-Adressen, oder ein /32 von IPv6.',
  'This must be htdocs, or a directory below it such as htdocs/shop.':
    'Das muss htdocs sein oder ein Verzeichnis darunter wie htdocs/shop.',
  'Lower-case letters, digits and underscores, at most 32.':
    'Kleinbuchstaben, Ziffern und Unterstriche, höchstens 32.',
  'A letter, then 2 to 15 letters or digits, all lower-case.':
    'Ein Buchstabe, dann 2 bis 15 Buchstaben oder Ziffern, alle klein.',
  'This name is reserved.': 'Dieser Name ist vergeben.',
  'The package does not have this version of PHP.': 'Das Paket hat diese PHP-Version nicht.',
  'The webspace cannot have this version of PHP.': 'Der Webspace kann diese PHP-Version nicht haben.',
  'Which domain is to be served?': 'Welche Domain soll ausgeliefert werden?',

  // Domains.
  'This must be a domain name.': 'Das muss ein Domainname sein.',
  'This must be a name with its TLD.': 'Das muss ein Name mit seiner TLD sein.',
  'Exactly one of uuid and domain is needed.': 'Genau eines von uuid und domain ist nötig.',
  'A part between two dots is empty.': 'Ein Teil zwischen zwei Punkten ist leer.',
  'A part between two dots is longer than 63 octets.':
    'Ein Teil zwischen zwei Punkten ist länger als 63 Oktette.',
  'The whole name is longer than 253 octets.': 'Der ganze Name ist länger als 253 Oktette.',
  'A part begins or ends with a hyphen.': 'Ein Teil beginnt oder endet mit einem Bindestrich.',
  'Two hyphens in the third and fourth place are reserved for encoded names.':
    'Zwei Bindestriche an dritter und vierter Stelle sind kodierten Namen vorbehalten.',
  'Only letters, digits, hyphens and dots can be in a domain name.':
    'Ein Domainname kann nur Buchstaben, Ziffern, Bindestriche und Punkte enthalten.',
  'A part holds characters, or an encoding of characters, that domain names cannot have (IDNA2008).':
    'Ein Teil enthält Zeichen, oder eine Kodierung von Zeichen, die Domainnamen nicht haben können (IDNA2008).',
  'Letters that are written from right to left are mixed with others so that nobody reads what was typed.':
    'Von rechts nach links geschriebene Buchstaben sind so mit anderen gemischt, dass sich nicht lesen lässt, was getippt wurde.',
  'This is an IP address or a number, not a domain name.':
    'Das ist eine IP-Adresse oder eine Zahl, kein Domainname.',
  'Domains under .{} are not sold here.': 'Domains unter .{} gibt es hier nicht.',
  'Names below another, such as {}, are not registered: {} is.':
    'Namen unter einem anderen, wie {}, werden nicht registriert, sondern {}.',
  'This TLD does not take such names.': 'Diese TLD nimmt solche Namen nicht an.',
  'The letters of {} are of several scripts: it can be taken for another name that looks the same.':
    'Die Buchstaben von {} stammen aus mehreren Schriften: Der Name lässt sich mit einem gleich aussehenden verwechseln.',
  'A transfer needs the code.': 'Ein Transfer braucht den Code.',
  'This has no place in an order to {}.': 'Das gehört nicht in diese Bestellung ({}).',
  'Years that are sold: {}.': 'Möglich sind diese Jahre: {}.',
  'At most {} years can be added now.': 'Jetzt lassen sich höchstens {} Jahre anfügen.',
  'A registration needs an owner: contacts, or use_account_address.':
    'Eine Registrierung braucht einen Inhaber: contacts oder use_account_address.',
  'Either the contacts, or the address of the account.': 'Entweder die Kontakte oder die Adresse des Kontos.',
  'The registry has an owner that is not known here: name one.':
    'Die Registry hat einen Inhaber, der hier nicht bekannt ist: Nennen Sie einen.',
  'The registry of this TLD takes none.': 'Die Registry dieser TLD nimmt keine an.',
  'The present registrar has some days to object.':
    'Der jetzige Registrar hat einige Tage, um zu widersprechen.',
  'Whoever has the domain now has to approve.': 'Der jetzige Inhaber der Domain muss zustimmen.',
  'This template is not offered here.': 'Diese Vorlage gibt es hier nicht.',
  'A server belongs to the template server, and to no other.':
    'Ein Server gehört zur Vorlage server und zu keiner anderen.',
  'There is no such server.': 'Diesen Server gibt es nicht.',
  'The zone is not hosted here with other name servers.':
    'Mit anderen Nameservern liegt die Zone nicht hier.',
  'The zone of a domain that is here already comes with it.':
    'Die Zone einer Domain, die schon hier ist, kommt mit ihr.',
  'No zones are hosted here.': 'Hier liegen keine Zonen.',
  'At least two name servers.': 'Mindestens zwei Nameserver.',
  'At most {} name servers.': 'Höchstens {} Nameserver.',
  '{} is there twice.': '{} kommt doppelt vor.',
  'Only a name below the domain itself has addresses here.':
    'Nur ein Name unter der Domain selbst hat hier Adressen.',
  'A name below the domain itself needs its addresses.':
    'Ein Name unter der Domain selbst braucht seine Adressen.',
  'This TLD takes no name servers below the domain itself.':
    'Diese TLD nimmt keine Nameserver unter der Domain selbst an.',
  'Only of custom name servers.': 'Nur bei eigenen Nameservern.',
  'Which ones?': 'Welche?',
  'Only of custom ones.': 'Nur bei eigenen.',
  'The digest does not have the length of its type.': 'Der Digest hat nicht die Länge seines Typs.',
  '{} does not answer for the domain with authority.': '{} antwortet für die Domain nicht autoritativ.',
  '{} does not answer.': '{} antwortet nicht.',
  '{} has no address, or one that is not public.': '{} hat keine Adresse, oder keine öffentliche.',
  '{} has no key for any of the DS.': '{} hat zu keinem der DS einen Schlüssel.',
  'The domain is signed, and will not be: its DS is removed.':
    'Die Domain ist signiert und wird es nicht mehr sein: Ihr DS wird entfernt.',
  'So that resolvers see no wrong signatures, this takes about {} hours.':
    'Damit Resolver keine falschen Signaturen sehen, dauert das etwa {} Stunden.',

  // Zones.
  'Line {}: {}': 'Zeile {}: {}',
  'The record {}: {}': 'Der Eintrag {}: {}',
  'One of changes, records, zonefile and dnssec is needed.':
    'Eines von changes, records, zonefile und dnssec ist nötig.',
  'Only one of changes, records and zonefile can be given.':
    'Nur eines von changes, records und zonefile ist möglich.',
  'Changes come with mode: patch.': 'Zu changes gehört mode: patch.',
  'What replaces all of the zone comes with mode: replace.':
    'Was die ganze Zone ersetzt, kommt mit mode: replace.',
  'The zone file is larger than 512 KiB.': 'Die Zonendatei ist größer als 512 KiB.',
  'The zone file has more than 10,000 records.': 'Die Zonendatei hat mehr als 10.000 Einträge.',
  'The first record has no name.': 'Der erste Eintrag hat keinen Namen.',
  '$TTL needs a duration.': '$TTL braucht eine Dauer.',
  '{} is not allowed here.': '{} ist hier nicht erlaubt.',
  'Only the class IN is served.': 'Es gibt nur die Klasse IN.',
  'A parenthesis is not closed.': 'Eine Klammer ist nicht geschlossen.',
  'A parenthesis is closed that was not opened.': 'Eine Klammer ist geschlossen, die nicht geöffnet wurde.',
  'The name is missing; the zone itself is @.': 'Der Name fehlt; die Zone selbst ist @.',
  'A name is missing.': 'Ein Name fehlt.',
  'The type is missing.': 'Der Typ fehlt.',
  'The content is missing.': 'Der Inhalt fehlt.',
  'The content is too long.': 'Der Inhalt ist zu lang.',
  'The comment is too long.': 'Der Kommentar ist zu lang.',
  'The text is missing; an empty one is "".': 'Der Text fehlt; ein leerer ist "".',
  'There are no records of this type here.': 'Einträge dieses Typs gibt es hier nicht.',
  'The SOA record is kept by the system.': 'Den SOA-Eintrag führt das System.',
  'This record is kept by the system.': 'Diesen Eintrag führt das System.',
  'Keys are made by the system when DNSSEC is on.': 'Schlüssel erzeugt das System, wenn DNSSEC an ist.',
  'LUA records would run programs on the name servers.':
    'LUA-Einträge führten Programme auf den Nameservern aus.',
  'DNAME is not served; delegate the name or give records one by one.':
    'DNAME gibt es nicht; delegieren Sie den Namen oder geben Sie die Einträge einzeln an.',
  'SPF records are no longer in use (RFC 7208 §3.1); write it as TXT.':
    'SPF-Einträge sind nicht mehr in Gebrauch (RFC 7208 §3.1); schreiben Sie ihn als TXT.',
  'The TTL must be from {} to {} seconds.': 'Die TTL muss von {} bis {} Sekunden sein.',
  '{}. is not in the zone {}.': '{}. liegt nicht in der Zone {}.',
  'A wildcard is one * and the first part of a name.':
    'Ein Platzhalter ist ein * als erster Teil des Namens.',
  'Records can be at names of letters, digits, hyphens, underscores and slashes.':
    'Einträge können an Namen aus Buchstaben, Ziffern, Binde-, Unter- und Schrägstrichen stehen.',
  '{} is broken punycode.': '{} ist kaputtes Punycode.',
  '{} cannot be in a name here.': '{} kann hier nicht in einem Namen stehen.',
  'The {} is missing.': 'Es fehlt: {}.',
  'The {} is written without quotation marks and backslashes.':
    '{} steht ohne Anführungszeichen und Backslashes.',
  'The {} is written without quotation marks.': '{} steht ohne Anführungszeichen.',
  'There is more than belongs here: {}': 'Hier steht mehr als hierher gehört: {}',
  'The {} must be a number.': '{} muss eine Zahl sein.',
  'The {} must be from 0 to {}.': '{} muss von 0 bis {} sein.',
  'No {} has the number {}.': 'Für {} gibt es die Nummer {} nicht.',
  'The {} must be a name, not an IP address.': '{} muss ein Name sein, keine IP-Adresse.',
  'The {} must be a host name: letters, digits, hyphens and dots.':
    '{} muss ein Hostname sein: Buchstaben, Ziffern, Bindestriche und Punkte.',
  'The {} is longer than 255 octets.': '{} ist länger als 255 Oktette.',
  'The {} must be hexadecimal digits, two for each octet.':
    '{} muss aus hexadezimalen Ziffern bestehen, zwei je Oktett.',
  'The {} must have {} hexadecimal digits for that {}.':
    '{} muss {} hexadezimale Ziffern haben, wie es zu {} gehört.',
  'The flags must be letters and digits.': 'Die Flags müssen Buchstaben und Ziffern sein.',
  'The tag must be letters and digits, such as issue.':
    'Das Tag muss aus Buchstaben und Ziffern bestehen, etwa issue.',
  'With a regexp the replacement must be a dot.': 'Zu einem regexp gehört ein Punkt als Ersatz.',
  'The target must be a URI such as https://example.com/.':
    'Das Ziel muss eine URI wie https://example.com/ sein.',
  '{} records have no {}.': '{}-Einträge haben keine Angabe {}.',
  '{} records need a {}.': '{}-Einträge brauchen die Angabe {}.',
  'With priority 0 there are no parameters.': 'Mit Priorität 0 gibt es keine Parameter.',
  'All of the text must be in quotes, or none of it.':
    'Der ganze Text muss in Anführungszeichen stehen, oder nichts davon.',
  'A quotation mark within the text is written \\".':
    'Ein Anführungszeichen im Text wird als \\" geschrieben.',
  'A quotation mark is not closed.': 'Ein Anführungszeichen ist nicht geschlossen.',
  'A backslash has nothing after it.': 'Nach einem Backslash steht nichts.',
  '{} is no escape: a backslash takes three digits from 000 to 255.':
    '{} ist keine Maskierung: Auf einen Backslash folgen drei Ziffern von 000 bis 255.',
  'This is not valid UTF-8.': 'Das ist kein gültiges UTF-8.',
  'This holds a line break or another control character; escape it as \\DDD.':
    'Das enthält einen Zeilenumbruch oder ein anderes Steuerzeichen; als \\DDD maskieren.',
  'A parameter begins with a quotation mark.': 'Ein Parameter beginnt mit einem Anführungszeichen.',
  'A value goes on after its quotes.': 'Ein Wert geht nach seinen Anführungszeichen weiter.',
  'Values of parameters cannot hold parentheses and semicolons.':
    'Werte von Parametern können keine Klammern und Semikolons enthalten.',
  '{} is no parameter; others are written key0 to key65534.':
    '{} ist kein Parameter; andere heißen key0 bis key65534.',
  '{} needs a value.': '{} braucht einen Wert.',
  'This parameter needs a value.': 'Dieser Parameter braucht einen Wert.',
  'This parameter takes no value.': 'Dieser Parameter hat keinen Wert.',
  'This parameter takes {} octets.': 'Dieser Parameter hat {} Oktette.',
  'The parameter {} is there twice.': 'Der Parameter {} kommt doppelt vor.',
  '{} is mandatory here, and missing.': '{} ist hier verpflichtend und fehlt.',
  'no-default-alpn needs an alpn beside it.': 'Zu no-default-alpn gehört ein alpn.',
  'alpn must be a list of protocols such as h2,h3.': 'alpn muss eine Liste von Protokollen wie h2,h3 sein.',
  'ipv{}hint must be a list of addresses.': 'ipv{}hint muss eine Liste von Adressen sein.',
  'ipv6hint cannot hold IPv4 addresses.': 'ipv6hint kann keine IPv4-Adressen enthalten.',
  'ech must be in base64.': 'ech muss Base64 sein.',
  'mandatory must be a list of keys.': 'mandatory muss eine Liste von Schlüsseln sein.',
  'mandatory names each key once.': 'mandatory nennt jeden Schlüssel einmal.',
  'mandatory cannot name itself.': 'mandatory kann sich nicht selbst nennen.',
  'dohpath must be a template with the variable dns, such as /dns-query{?dns}.':
    'dohpath muss eine Vorlage mit der Variablen dns sein, etwa /dns-query{?dns}.',
  'There is such a record already.': 'Diesen Eintrag gibt es schon.',
  'There is no record with this id in the zone.': 'Die Zone hat keinen Eintrag mit dieser id.',
  'The record is changed twice in this request.': 'Der Eintrag wird in dieser Anfrage zweimal geändert.',
  'The name servers of the domain are set with domain/nameservers.':
    'Die Nameserver der Domain werden mit domain/nameservers gesetzt.',
  'The zone itself cannot be a CNAME; take ALIAS.': 'Die Zone selbst kann kein CNAME sein; nehmen Sie ALIAS.',
  'A CNAME is the only record of its name, and {} has others.':
    'Ein CNAME ist der einzige Eintrag seines Namens, und {} hat andere.',
  'A CNAME is the only record of its name.': 'Ein CNAME ist der einzige Eintrag seines Namens.',
  'A name has one ALIAS, or A and AAAA records, or a CNAME.':
    'Ein Name hat einen ALIAS, oder A- und AAAA-Einträge, oder einen CNAME.',
  'A DS record is only at a name with NS records, below the zone.':
    'Ein DS-Eintrag steht nur an einem Namen mit NS-Einträgen unter der Zone.',
  '{} has more than {} {} records.': '{} hat mehr als {} {}-Einträge.',
  'All {} records of {} do not fit in one answer.': 'Alle {}-Einträge von {} passen nicht in eine Antwort.',
  'All {} records of {} have one TTL, now {}.': 'Alle {}-Einträge von {} haben eine TTL, jetzt {}.',
  'A zone has at most {} ALIAS records.': 'Eine Zone hat höchstens {} ALIAS-Einträge.',
  'A zone has at most {} records.': 'Eine Zone hat höchstens {} Einträge.',
  'The records of the zone are too large together.': 'Die Einträge der Zone sind zusammen zu groß.',

  // What works in a zone, and is likely not meant.
  'This {} record is left out: the system keeps those.':
    'Dieser {}-Eintrag bleibt aus: Die führt das System.',
  '{} is delegated: {} is not served from here.': '{} ist delegiert: {} wird nicht von hier bedient.',
  '{} is delegated, so what is at and below it here is not served.':
    '{} ist delegiert; was hier daran und darunter steht, wird nicht bedient.',
  'The DS records of {} stay: its new name servers must sign with the same keys.':
    'Die DS-Einträge von {} bleiben: Die neuen Nameserver müssen mit denselben Schlüsseln signieren.',
  '{} cannot be reached from the Internet.': '{} ist aus dem Internet nicht erreichbar.',
  '{} has no address.': '{} hat keine Adresse.',
  '{} has no records.': '{} hat keine Einträge.',
  '{} is a CNAME: it must have addresses itself.': '{} ist ein CNAME: Es muss selbst Adressen haben.',
  '{} receives mail, but has no SPF record to say who sends it.':
    '{} empfängt Mail, hat aber keinen SPF-Eintrag, der sagt, wer sie sendet.',
  'With more than one SPF record at {} none counts.': 'Mit mehr als einem SPF-Eintrag an {} zählt keiner.',
  'An MX record of a dot says that {} receives no mail; others contradict it.':
    'Ein MX-Eintrag aus einem Punkt sagt, dass {} keine Mail empfängt; andere widersprechen dem.',
  'A TTL below {} seconds makes answers slower.': 'Eine TTL unter {} Sekunden macht Antworten langsamer.',
  'Hosts have no underscores in their names.': 'Hosts haben keine Unterstriche im Namen.',
  'Name servers differ in what a wildcard with NS records means.':
    'Nameserver verstehen einen Platzhalter mit NS-Einträgen verschieden.',
  'No certificate authority is known to look at {}.':
    'Es ist keine Zertifizierungsstelle bekannt, die {} beachtet.',
  'Of the flags only 128 has a meaning.': 'Von den Flags hat nur 128 eine Bedeutung.',
  'This names no certificate authority, so none may issue.':
    'Das nennt keine Zertifizierungsstelle; also darf keine ausstellen.',
  'iodef is a mailto or https address.': 'iodef ist eine mailto- oder https-Adresse.',
  'This algorithm or digest is no longer trusted everywhere.':
    'Diesem Algorithmus oder Digest wird nicht mehr überall vertraut.',
  'SRV records are asked for at names such as _sip._tcp.':
    'SRV-Einträge werden an Namen wie _sip._tcp gesucht.',
  'TLSA records are asked for at names such as _443._tcp.':
    'TLSA-Einträge werden an Namen wie _443._tcp gesucht.',

  // Why a request cannot be read.
  'it is not UTF-8': 'sie ist kein UTF-8',
  'it is not JSON': 'sie ist kein JSON',
  'it is not JSON from line {}, column {} on': 'sie ist ab Zeile {}, Spalte {} kein JSON',
  'it is nested deeper than {} levels': 'sie ist tiefer als {} Ebenen verschachtelt',
  'it holds more than {} values': 'sie enthält mehr als {} Werte',
  'the query is not percent-encoded UTF-8': 'die Query ist kein prozentkodiertes UTF-8',
  'it names no Host': 'sie nennt keinen Host',
  'it names more than one Host': 'sie nennt mehr als einen Host',
  'it is not HTTP': 'sie ist kein HTTP',
  'its length is not what Content-Length says': 'ihre Länge ist nicht die in Content-Length',
  'the address is not valid': 'die Adresse ist nicht gültig',

  'Letters of different scripts look alike here: is this name what it seems?':
    'Buchstaben verschiedener Schriften sehen hier gleich aus: Ist dieser Name, was er scheint?',

  // Questions to the network.
  'This name has no address.': 'Dieser Name hat keine Adresse.',
  'This name is for private networks, not for the Internet.':
    'Dieser Name gehört privaten Netzen, nicht dem Internet.',
};

const GAP = '{}';
/** With gaps, as what they match; the longer one first, since it says more. */
const TEMPLATES = Object.entries(GERMAN)
  .filter(([english]) => english.includes(GAP))
  .sort(([a], [b]) => b.length - a.length)
  .map(([english, german]) => ({
    pattern: new RegExp(`^${english.split(GAP).map(RegExp.escape).join('(.*?)')}$`, 's'),
    german,
  }));

/** Whether a text of a problem, as it stands in the source with `{}` for its gaps, is known in all languages. */
export function isKnownProblemText(text: string): boolean {
  return Object.hasOwn(GERMAN, text) || TEMPLATES.some(({ pattern }) => pattern.test(text));
}

/** What is said of a field, in the reader's language. A text that is not known stays English. */
export function problemText(english: string, locale: Locale): string {
  if (locale === 'en') return english;
  const whole = Object.hasOwn(GERMAN, english) ? GERMAN[english] : undefined;
  if (whole !== undefined) return whole;
  for (const { pattern, german } of TEMPLATES) {
    const found = pattern.exec(english);
    if (found === null) continue;
    const values = found.slice(1);
    // What is in a gap may be such a text again, as behind the number of a line.
    return german.replaceAll(GAP, () => problemText(values.shift() ?? '', locale));
  }
  return english;
}
