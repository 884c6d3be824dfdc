// A table board for an Arduino (Uno, Nano, Leonardo, ...): docs/board-protocol.md, version 1.
// Buttons and sensor pull their pin to ground. Without power the brake holds: HIGH lets go.
#include <stdarg.h>

#define WHO "table-ino 1.0 - light lamps=7 brake help cut_card card_out"
const char *const WHAT[] = {"help", "cut_card", "card_out"};
const byte INPUTS[] = {2, 3, 4}, BRAKE = 5, LAMPS[] = {6, 7, 8, 12, A0, A1, A2}, RGB[] = {9, 10, 11};
const char *const NAMES[] = {"green", "white", "amber", "blue", "red", "off"};
const byte COLOURS[][3] = {{0, 255, 0}, {255, 255, 255}, {255, 90, 0}, {0, 0, 255}, {255, 0, 0}, {0, 0, 0}};
const byte AMBER = 2, ROOM = 8;

struct Event { uint16_t number; byte what; unsigned long at; };
Event events[ROOM];                    // The oldest first; it alone is sent.
byte waiting = 0, colour, lamp, used = 0;
bool safe, brake, inLine = false, raw[3], down[3];
uint16_t session = 0, last = 0, missed = 0;
unsigned long heard = 0, sent = 0, since[3];
char line[32];                         // Without $ and LF: 30 characters at most.

void fallBack() { safe = brake = true; colour = AMBER; lamp = 0; }

uint16_t check(const char *text) {
  uint16_t crc = 0;
  for (; *text; text++) {
    crc ^= (uint16_t)((byte)*text << 8);
    for (byte bit = 0; bit < 8; bit++) crc = (crc & 0x8000) ? (crc << 1) ^ 0x1021 : crc << 1;
  }
  return crc;
}

void say(const char *format, ...) {
  char body[114], end[8];
  va_list words;
  va_start(words, format);
  vsnprintf(body, sizeof body, format, words);
  va_end(words);
  snprintf(end, sizeof end, "*%04X\n", check(body));
  Serial.print('$'); Serial.print(body); Serial.print(end);
}

void tellAtOnce() { sent = millis() - 300; }

void forgetOldest() {
  for (byte i = 1; i < waiting; i++) events[i - 1] = events[i];
  waiting--;
  tellAtOnce();
}

void happened(byte what, unsigned long at) {
  if (waiting == ROOM) { missed++; return; }          // The gap in the numbers tells of it.
  for (missed++; missed; missed--) if (++last == 0) last = 1;
  if (!waiting) tellAtOnce();
  events[waiting++] = {last, what, at};
}

// Its number when the one after `before` becomes 1; 65535 is followed by 1.
uint16_t anew(uint16_t number, uint16_t before) { return number - before - (number > before ? 0 : 1); }

void openSession(uint16_t wanted, uint16_t old, uint16_t taken) {
  if (!wanted) { session = 0; fallBack(); return; }
  if (wanted == session) return;
  if (session && old == session && waiting && events[0].number == taken) forgetOldest();
  uint16_t before = waiting ? events[0].number - 1 : 0;
  for (byte i = 0; i < waiting; i++) events[i].number = anew(events[i].number, before);
  last = waiting ? anew(last, before) : 0;
  session = wanted;
  tellAtOnce();
}

void set(const char *number, const char *key, const char *value) {
  bool known = true, good = false;
  if (!session) { say("no %s closed", number); return; }
  if (!strcmp(key, "light")) {
    for (byte i = 0; i < 6; i++) if (!strcmp(value, NAMES[i])) { colour = i; good = true; }
  } else if (!strcmp(key, "lamp")) {
    good = value[0] >= '0' && value[0] <= '7' && !value[1];
    if (good) lamp = value[0] - '0';
  } else if (!strcmp(key, "brake")) {
    good = !strcmp(value, "on") || !strcmp(value, "off");
    if (good) brake = value[1] == 'n';
  } else known = false;
  if (good) safe = false;
  say(good ? "ok %s" : known ? "no %s value" : "no %s unknown", number);
}

void act(char *body) {
  char *word[5]; byte n = 0;
  for (char *w = strtok(body, " "); w && n < 5; w = strtok(NULL, " ")) word[n++] = w;
  heard = millis();
  if (n == 5 && !strcmp(word[0], "open")) {
    if (!strcmp(word[1], "1")) openSession(atol(word[2]), atol(word[3]), atol(word[4]));
    say("hello 1 %u " WHO, session);
  }
  else if (n && !strcmp(word[0], "ping")) say(safe ? "pong %u safe" : "pong %u", session);
  else if (n >= 4 && !strcmp(word[0], "set")) set(word[1], word[2], word[3]);
  else if (n >= 2 && !strcmp(word[0], "ack")) {
    if (session && waiting && events[0].number == (uint16_t)atol(word[1])) forgetOldest();
  }
  else say("no 0 unknown");
}

void judge() {
  if (used > 30) { say("no 0 long"); return; }
  if (used && line[used - 1] == '\r') used--;
  line[used] = 0;
  char *star = strchr(line, '*'), right[5] = "";
  if (star) { *star = 0; snprintf(right, sizeof right, "%04X", check(line)); }
  if (star && !strcmp(star + 1, right)) act(line); else say("no 0 check");
}

void hear(char c) {
  if (c == '$') { used = 0; inLine = true; }
  else if (inLine && c == '\n') { inLine = false; judge(); }
  else if (inLine && used <= 30) line[used++] = c;
}

void look(byte i) {                    // 20 ms the same: it has stopped bouncing.
  bool is = digitalRead(INPUTS[i]) == LOW;
  if (is != raw[i]) { raw[i] = is; since[i] = millis(); }
  else if (is != down[i] && millis() - since[i] >= 20) {
    down[i] = is;
    if (is) happened(i, since[i]);
  }
}

void show() {
  bool lit = !safe || (millis() / 250) % 2;
  for (byte i = 0; i < 3; i++) analogWrite(RGB[i], lit ? COLOURS[colour][i] : 0);
  for (byte i = 0; i < 7; i++) digitalWrite(LAMPS[i], lamp == i + 1 ? HIGH : LOW);
  digitalWrite(BRAKE, brake ? LOW : HIGH);
}

void setup() {
  fallBack();
  pinMode(BRAKE, OUTPUT);
  for (byte i = 0; i < 7; i++) pinMode(LAMPS[i], OUTPUT);
  for (byte i = 0; i < 3; i++) { pinMode(RGB[i], OUTPUT); pinMode(INPUTS[i], INPUT_PULLUP); }
  for (byte i = 0; i < 3; i++) raw[i] = down[i] = digitalRead(INPUTS[i]) == LOW;
  Serial.begin(115200);
  say("hello 1 0 " WHO);
}

void loop() {
  while (Serial.available()) hear(Serial.read());
  for (byte i = 0; i < 3; i++) look(i);
  if (!safe && millis() - heard >= 3000) fallBack();
  if (session && waiting && millis() - sent >= 300) {
    sent = millis();
    unsigned long age = sent - events[0].at;
    say("event %u %lu %s", events[0].number, age > 99999UL ? 99999UL : age, WHAT[events[0].what]);
  }
  show();
}
