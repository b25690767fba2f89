package io.rollscope.store.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rollscope.store.testkit.ForgetfulDisk;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** A disk like any other, until the power goes. */
class ForgetfulDiskTest extends DiskContract {
  private final ForgetfulDisk disk = new ForgetfulDisk();
  private final Path folder = Path.of("/data");
  private final Path path = folder.resolve("f");

  @Override
  Disk newDisk() {
    return new ForgetfulDisk();
  }

  @Test
  void namesAndContentsSurviveOnlyIfForced() throws IOException {
    disk.createFolders(folder);
    AppendFile file = disk.openForAppend(path);
    file.write(ByteBuffer.allocate(8));
    file.force();
    disk.losePower();
    assertThat(disk.list(folder)).as("the name was not forced").isEmpty();

    AppendFile again = disk.openForAppend(path);
    again.write(ByteBuffer.allocate(8));
    again.force();
    disk.forceFolder(folder);
    again.write(ByteBuffer.allocate(8));
    disk.losePower();
    assertThat(disk.contents(path)).hasSize(8);
    assertThatThrownBy(again::force).hasMessageContaining("dead");
  }

  @Test
  void aDeletionThatWasNotForcedIsUndone() throws IOException {
    disk.createFolders(folder);
    disk.replace(path, new byte[3]);
    disk.delete(path);
    assertThat(disk.list(folder)).isEmpty();
    disk.losePower();
    assertThat(disk.list(folder)).containsExactly("f");
  }
}
