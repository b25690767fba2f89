/* A stand-in for NVIDIA's management library: three GPUs. NVML_HANGS makes it hang, NVML_FAILS makes it refuse. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static int fails(void) { return getenv("NVML_FAILS") != NULL; }

int nvmlInit_v2(void) { return fails() ? 9 : 0; }

int nvmlDeviceGetCount_v2(unsigned *count) {
  while (getenv("NVML_HANGS")) pause();
  *count = 3;
  return 0;
}

int nvmlDeviceGetHandleByIndex_v2(unsigned index, void **device) {
  if (index == 2 && getenv("NVML_LOST")) return 15;
  *device = (void *)(long)(index + 1);
  return 0;
}

int nvmlDeviceGetUUID(void *device, char *uuid, unsigned length) {
  snprintf(uuid, length, "GPU-%ld-abc", (long)device - 1);
  return 0;
}

int nvmlDeviceGetUtilizationRates(void *device, unsigned rates[2]) {
  if ((long)device == 3) return 3; /* not supported */
  rates[0] = 10 * (unsigned)(long)device;
  rates[1] = 99;
  return 0;
}

int nvmlDeviceGetMemoryInfo(void *device, unsigned long long memory[3]) {
  memory[0] = 80ull << 30;
  memory[2] = (unsigned long long)(long)device << 30;
  memory[1] = memory[0] - memory[2];
  return 0;
}
