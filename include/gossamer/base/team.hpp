// Teams of OpenMP's threads: OpenMP's runtime ends the process where the system refuses one.
#pragma once

namespace gossamer {

/// Makes the calling thread's team of `threads`, which stays, before anybody asks OpenMP for it.
/// error, with how many there could be, where the system refuses so many.
void require_team(int threads);

}  // namespace gossamer
