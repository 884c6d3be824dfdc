// Pins and serial port on a PC. argv[1]: the descriptor that is the serial port. Standard input
// orders: `press PIN MS` pulls an input to ground for that time, bouncing 5 ms at both ends;
// `reset` starts it again. Standard output tells each change of an output: `PIN VALUE`.
#include <fcntl.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#include "Arduino.h"

static int port = -1;
static char **arguments;
static int modes[32], outputs[32];
static unsigned long pressedAt[32], pressedFor[32];
SerialPort Serial;

unsigned long millis() {
  static timespec began;
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  if (!began.tv_sec) began = now;
  return (now.tv_sec - began.tv_sec) * 1000 + (now.tv_nsec - began.tv_nsec) / 1000000;
}

void pinMode(byte pin, byte mode) { modes[pin] = mode; }

int digitalRead(byte pin) {
  unsigned long past = millis() - pressedAt[pin];
  if (modes[pin] != INPUT_PULLUP) return LOW;
  if (!pressedFor[pin] || past >= pressedFor[pin]) return HIGH;
  bool bouncing = past < 5 || past + 5 >= pressedFor[pin];
  return bouncing && past % 2 ? HIGH : LOW;
}

static void change(byte pin, int value) {
  if (modes[pin] != OUTPUT || outputs[pin] == value + 1) return;
  outputs[pin] = value + 1;
  printf("%d %d\n", pin, value);
  fflush(stdout);
}

void digitalWrite(byte pin, byte value) { change(pin, value); }
void analogWrite(byte pin, int value) { change(pin, value); }

void SerialPort::begin(unsigned long) {}

int SerialPort::available() {
  int count = 0;
  ioctl(port, FIONREAD, &count);
  return count;
}

int SerialPort::read() {
  unsigned char c;
  return ::read(port, &c, 1) == 1 ? c : -1;
}

void SerialPort::print(char c) {
  if (::write(port, &c, 1) != 1) exit(1);
}

void SerialPort::print(const char *text) {
  for (; *text; text++) print(*text);
}

static void obey(char *order) {
  int pin, ms;
  if (sscanf(order, "press %d %d", &pin, &ms) == 2) {
    pressedAt[pin] = millis();
    pressedFor[pin] = ms;
  } else if (!strncmp(order, "reset", 5)) {
    execv("/proc/self/exe", arguments);
  }
}

int main(int count, char **given) {
  arguments = given;
  port = count > 1 ? atoi(given[1]) : 0;
  char order[64];
  unsigned used = 0;
  setup();
  for (;;) {
    pollfd wait[2] = {{port, POLLIN, 0}, {0, POLLIN, 0}};
    poll(wait, 2, 1);
    if (wait[1].revents & POLLHUP) return 0;
    if (wait[1].revents & POLLIN) {
      char c;
      if (::read(0, &c, 1) != 1) return 0;
      if (c == '\n') {
        order[used] = 0;
        used = 0;
        obey(order);
      } else if (used < sizeof order - 1) {
        order[used++] = c;
      }
    }
    loop();
  }
}
