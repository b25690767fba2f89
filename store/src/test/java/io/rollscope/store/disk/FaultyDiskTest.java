package io.rollscope.store.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rollscope.store.testkit.FaultyDisk;
import io.rollscope.store.testkit.FaultyDisk.Fault;
import io.rollscope.store.testkit.ForgetfulDisk;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** Without faults it is a disk like any other; with them it does what it was told. */
class FaultyDiskTest extends DiskContract {
  private final ForgetfulDisk memory = new ForgetfulDisk();
  private final FaultyDisk disk = new FaultyDisk(memory);
  private final Path folder = Path.of("/data");
  private final Path path = folder.resolve("f");

  @Override
  Disk newDisk() {
    return new FaultyDisk(new RealDisk());
  }

  @Test
  void aWriteFailsBeforeAfterOrInTheMiddle() throws IOException {
    assertThat(writtenDespite(Fault.BEFORE)).isEqualTo(0);
    assertThat(writtenDespite(Fault.SHORT)).isEqualTo(4);
    assertThat(writtenDespite(Fault.AFTER)).isEqualTo(8);
  }

  private int writtenDespite(Fault fault) throws IOException {
    disk.createFolders(folder);
    disk.delete(path);
    AppendFile file = disk.openForAppend(path);
    disk.failCall(1, fault);
    assertThatThrownBy(() -> file.write(ByteBuffer.allocate(8)))
        .hasMessage("injected failure of: write f 8");
    assertThat(disk.hasFailed()).isTrue();
    return memory.contents(path).length;
  }

  @Test
  void aFullDiskTakesWhatFitsUntilThereIsSpaceAgain() throws IOException {
    disk.createFolders(folder);
    AppendFile file = disk.openForAppend(path);
    disk.setSpace(10);
    file.write(ByteBuffer.allocate(8));
    assertThatThrownBy(() -> file.write(ByteBuffer.allocate(8)))
        .hasMessage("No space left on device");
    assertThat(disk.usableSpace(folder)).isZero();
    disk.setSpace(100);
    file.write(ByteBuffer.allocate(8));
    assertThat(memory.contents(path)).hasSize(18);
    assertThat(disk.calls()).contains("openForAppend f", "write f 8");
  }
}
