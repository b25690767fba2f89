package io.rollscope.store.disk;

class RealDiskTest extends DiskContract {
  @Override
  Disk newDisk() {
    return new RealDisk();
  }
}
