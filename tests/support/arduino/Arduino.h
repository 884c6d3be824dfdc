// As much of an Arduino as docs/firmware/board.ino needs, on a PC, for the tests.
#pragma once
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef uint8_t byte;
enum { LOW, HIGH };
enum { INPUT, OUTPUT, INPUT_PULLUP };
enum { A0 = 14, A1, A2, A3, A4, A5 };

unsigned long millis();
void pinMode(byte pin, byte mode);
int digitalRead(byte pin);
void digitalWrite(byte pin, byte value);
void analogWrite(byte pin, int value);

struct SerialPort {
  void begin(unsigned long baud);
  int available();
  int read();
  void print(char c);
  void print(const char *text);
};
extern SerialPort Serial;

void setup();
void loop();
